"""Choices belong to one person: members of the same workspace, its owners too, get nothing and change nothing."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from core.models import AuditEvent
from decisions.models import (
    Choice,
    DecisionPoint,
    LearningSetting,
    Mute,
    Option,
    Preference,
    Quarantine,
    Recommendation,
    Wording,
)
from decisions.services.resets import reset_point
from tests import build
from tests.review.choosing import QUESTION, TIERS, answer, ask, habit, misread, person_with_key
from tests.review.scene import share, signed_in

pytestmark = pytest.mark.django_db

WHO = ("person", "member", "stranger")


@dataclass
class Scene:
    people: dict[str, User]
    ids: dict[str, object]
    forms: dict[str, dict[str, object]]

    def client(self, who: str) -> Client:
        return signed_in(self.people[who])

    def address(self, name: str) -> str:
        start = next((each for each in self.ids if name == each or name.startswith(f"{each}-")), "")
        return reverse(name, args=[self.ids[start]] if start else [])


@pytest.fixture
def scene() -> Scene:
    person, key = person_with_key("person")
    people = {"person": person, "member": build.person("member"), "stranger": build.person("stranger")}
    point = habit(key, ["Tier M"] * 25, every=0.4)
    assert ask(key).questions[0].advice.action == "resolve"
    answer(key, "Opus", "Which model writes?", ("Opus", "Sonnet"))
    other = Choice.objects.visible_to(person).get(question="Which model writes?").point
    gone = habit(key, ["left"], question="Left or right of it all?", options=("left", "right"))
    forgotten = reset_point(user=person, point_id=gone.pk, now=gone.first_seen_at)
    session = point.choices.all()[0].session
    assert other is not None
    assert session is not None
    assert point.workspace is not None
    share(point.workspace, person, people["member"], "owner")
    options = list(point.options.order_by("pk"))
    point.refresh_from_db()
    seen: dict[str, object] = {"version": point.version}
    return Scene(
        people,
        {
            "point": point.pk,
            "quarantine": misread(key).pk,
            "choices-contest": Recommendation.objects.get(action="resolve").pk,
            "choices-reset-undo": forgotten.preference.pk,
            "choices-mute": session.pk,
        },
        {
            "point-prefer": {**seen, "option": options[0].pk},
            "point-ask": {**seen, "on": "1"},
            "point-name": {**seen, "name": "Size"},
            "point-category": {**seen, "category": "other"},
            "point-alias": {**seen, "option": options[0].pk, "alias_of": options[1].pk},
            "point-split": {**seen, "wording": 1},
            "point-merge": {**seen, "into": other.pk},
            "choices-mute": {"on": "1"},
        },
    )


# Page: status for the person, a member of the workspace, a stranger.
PAGES = {
    "choices": (200, 200, 200),
    "choices-settled": (200, 200, 200),
    "choices-backtest": (200, 200, 200),
    "choices-quarantine": (200, 200, 200),
    "choices-reset": (200, 200, 200),
    "point": (200, 404, 404),
}
# Act: its status. 302 is done; the rest change nothing.
ACTS = {
    "point-prefer": (302, 404, 404),
    "point-ask": (302, 404, 404),
    "point-name": (302, 404, 404),
    "point-category": (302, 404, 404),
    "point-alias": (302, 404, 404),
    "point-split": (422, 404, 404),  # its only wording cannot be split off
    "point-merge": (302, 404, 404),
    "choices-contest": (302, 404, 404),
    "choices-reset-undo": (302, 404, 404),
    "choices-mute": (302, 404, 404),
    "quarantine-run": (302, 404, 404),
    "quarantine-dismiss": (302, 404, 404),
}
# One's own whatever the address; what it does is tested with its page.
OWN = {"choices-rate", "choices-resolving"}
NAMES = {*PAGES, *ACTS, *OWN}


def _states() -> list[object]:
    return [
        list(DecisionPoint.objects.order_by("pk").values_list("pk", "version", "always_ask", "merged_into")),
        list(Option.objects.order_by("pk").values_list("pk", "alias_of")),
        list(Wording.objects.order_by("pk").values_list("pk", "point")),
        list(Choice.objects.order_by("pk").values_list("pk", "point", "reset")),
        list(Recommendation.objects.order_by("pk").values_list("pk", "contested_at")),
        list(Preference.objects.order_by("pk").values_list("pk", "kind", "withdrawn_at")),
        list(Quarantine.objects.order_by("pk").values_list("pk", "state", "runs")),
        Mute.objects.count(),
        LearningSetting.objects.count(),
        AuditEvent.objects.count(),
    ]


@pytest.mark.parametrize("who", WHO)
def test_pages_open_for_whom_they_are(scene: Scene, who: str) -> None:
    client, at = scene.client(who), WHO.index(who)
    answers = {name: client.get(scene.address(name)) for name in PAGES}
    assert {name: found.status_code for name, found in answers.items()} == {
        name: statuses[at] for name, statuses in PAGES.items()
    }
    for name, found in answers.items():
        told = any(word in found.content.decode() for word in (QUESTION, *TIERS, "Something else?"))
        assert told == (who == "person" and name not in ("choices-backtest", "choices-reset")), name


@pytest.mark.parametrize("who", WHO)
def test_acts_are_done_for_whom_they_are(scene: Scene, who: str) -> None:
    """Each act starts from the same state: what it did is rolled back."""
    client, at, before = scene.client(who), WHO.index(who), _states()
    for name, statuses in ACTS.items():
        with transaction.atomic():
            found = client.post(scene.address(name), scene.forms.get(name, {}))
            changed = _states() != before
            transaction.set_rollback(True)
        assert (found.status_code, changed) == (statuses[at], statuses[at] < 400), name


def test_a_reset_reaches_nobody_else(scene: Scene) -> None:
    before = _states()[3]
    for reach in ({"reach": "all"}, {"reach": "category", "category": "tier"}):
        assert scene.client("member").post(reverse("choices-reset"), reach).status_code == 302
    foreign = {"reach": "point", "point": scene.ids["point"]}
    assert scene.client("member").post(reverse("choices-reset"), foreign).status_code == 404
    assert (
        scene.client("member").get(reverse("choices-reset"), {"point": str(scene.ids["point"])}).status_code
        == 404
    )
    assert _states()[3] == before


def test_merging_into_anothers_question_is_not_found(scene: Scene) -> None:
    _user, key = person_with_key("bob")
    own = habit(key, ["Tier M"] * 2)
    form = {"version": own.version, "into": scene.ids["point"]}
    assert signed_in(key.user).post(reverse("point-merge", args=[own.pk]), form).status_code == 404


def test_visitors_are_sent_to_sign_in(scene: Scene, client: Client) -> None:
    before = _states()
    for name in sorted(NAMES):
        for found in (client.get(scene.address(name)), client.post(scene.address(name))):
            assert found.status_code in (302, 405), name
            assert found.status_code == 405 or found.headers["Location"].startswith("/sign-in/"), name
    assert _states() == before


def test_no_link_can_do_an_act(scene: Scene) -> None:
    client = scene.client("person")
    assert {client.get(scene.address(name)).status_code for name in {*ACTS, *OWN}} == {405}


def test_an_incomplete_form_changes_nothing_and_says_so(scene: Scene) -> None:
    client, before = scene.client("person"), _states()
    for name in ("point-prefer", "point-alias", "point-merge"):
        for form in ({}, {"version": "x"}, {"version": 1, "option": "a", "alias_of": "b", "into": "c"}):
            assert client.post(scene.address(name), form).status_code == 422, (name, form)
    for form in ({}, {"reach": "point"}, {"reach": "category", "category": "x"}, {"reach": "world"}):
        assert client.post(reverse("choices-reset"), form).status_code == 422, form
    for rate in ("fast", "nan", "-1", "1e99"):
        assert client.post(reverse("choices-rate"), {"rate": rate}).status_code == 422, rate
    for form in ({}, {"allowed": "yes"}, {"workspace": "x", "allowed": "1"}):
        assert client.post(reverse("choices-resolving"), form).status_code == 422, form
    assert client.get(reverse("point", args=[uuid.uuid4()])).status_code == 404
    assert _states() == before


@pytest.mark.parametrize("who", ["member", "stranger"])
def test_who_allows_settling_allows_it_for_nobody_else(scene: Scene, who: str) -> None:
    place = DecisionPoint.objects.get(pk=str(scene.ids["point"])).workspace_id
    form = {"workspace": str(place), "allowed": "0"}
    answered = scene.client(who).post(reverse("choices-resolving"), form).status_code
    assert answered == (302 if who == "member" else 404)
    assert not LearningSetting.objects.filter(user=scene.people["person"], resolve_allowed=False).exists()
