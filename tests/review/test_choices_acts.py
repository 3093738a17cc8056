"""A person corrects what was learned, and takes it back; and looks whether it deserves trust."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.models import AgentKey, AuditEvent
from decisions.models import DecisionPoint, LearningSetting, Mute, Preference, Quarantine
from tests.review.choosing import answer, ask, habit, misread, person_with_key
from tests.review.scene import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def both() -> tuple[User, AgentKey]:
    return person_with_key()


@pytest.fixture
def key(both: tuple[User, AgentKey]) -> AgentKey:
    return both[1]


@pytest.fixture
def hers(both: tuple[User, AgentKey]) -> Client:
    return signed_in(both[0])


def post(client: Client, name: str, thing: object, /, **form: object) -> str:
    """Do an act and read the page it leads to."""
    done = client.post(reverse(name, args=[getattr(thing, "pk", thing)]), form, follow=True)
    assert done.status_code == 200, done.content.decode()[-500:]
    return done.content.decode()


def version(point: DecisionPoint) -> int:
    point.refresh_from_db()
    return point.version


def test_a_preferred_option_is_recommended_until_it_is_taken_back(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 6)
    small = point.options.get(label="Tier S")
    said = post(hers, "point-prefer", point, version=point.version, option=small.pk)
    assert "set by you: Tier S" in said
    assert "set by you: Tier S" in hers.get(reverse("choices")).content.decode()
    assert ask(key).questions[0].advice.leader == "tier s"
    assert "set by you" not in post(hers, "point-prefer", point, version=version(point), option="")


def test_always_ask_is_marked_and_lifted(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 25, every=0.4)
    post(hers, "point-ask", point, version=point.version, on="1")
    assert "always ask" in hers.get(reverse("choices")).content.decode()
    assert ask(key).questions[0].advice.action == "ask"
    post(hers, "point-ask", point, version=version(point), on="0")
    assert ask(key).questions[0].advice.action == "resolve"


def test_a_page_that_grew_old_changes_nothing(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 6)
    post(hers, "point-ask", point, version=point.version, on="1")
    late = hers.post(reverse("point-ask", args=[point.pk]), {"version": point.version, "on": "0"})
    assert late.status_code == 409
    assert "changed meanwhile" in late.content.decode()


def test_what_was_settled_without_asking_is_asked_next_time(hers: Client, key: AgentKey) -> None:
    habit(key, ["Tier M"] * 25, every=0.4)
    ask(key)
    settled = hers.get(reverse("choices-settled"))
    assert "Ask me next time" in settled.content.decode()
    given = settled.context["rows"][0]
    assert "asked from now on" in post(hers, "choices-contest", given)
    assert ask(key).questions[0].advice.action == "ask"


def test_forgetting_says_what_it_erases_and_can_be_taken_back(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 6)
    habit(key, ["left"] * 3, question="Left or right of it all?", options=("left", "right"))
    said = hers.get(reverse("choices-reset"), {"point": str(point.pk)}).content.decode()
    assert "6 choices that count today leave all sums" in said
    assert "9 choices that count today leave all sums" in said
    done = hers.post(reverse("choices-reset"), {"reach": "point", "point": point.pk}, follow=True)
    page = done.content.decode()
    assert "6 choices forgotten" in page
    assert page.count("forgotten</td>") == 6
    assert done.context["known"].n == 0
    reset = Preference.objects.get(kind="reset")
    assert "6 choices count again" in post(hers, "choices-reset-undo", reset)
    assert hers.get(reverse("point", args=[point.pk])).context["known"].n == 6


@pytest.mark.parametrize("form", [{"reach": "category", "category": "tier"}, {"reach": "all"}])
def test_forgetting_reaches_as_far_as_it_says(hers: Client, key: AgentKey, form: dict[str, str]) -> None:
    tier = habit(key, ["Tier M"] * 6)
    other = habit(key, ["left"] * 3, question="Left or right of it all?", options=("left", "right"))
    hers.post(reverse("choices-reset"), form)
    left = [hers.get(reverse("point", args=[each.pk])).context["known"].n for each in (tier, other)]
    assert left == [0, 0 if form["reach"] == "all" else 3]


def test_a_session_is_muted_and_heard_again(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 6)
    session = hers.get(reverse("point", args=[point.pk])).context["sessions"][0]
    post(hers, "choices-mute", session, on="1", next=reverse("point", args=[point.pk]))
    assert "Unmute" in hers.get(reverse("point", args=[point.pk])).content.decode()
    assert not ask(key).questions[0].advice.labelled
    post(hers, "choices-mute", session, on="0")
    assert not Mute.objects.exists()


def test_settling_is_switched_off_for_a_workspace_and_for_everywhere_else(
    hers: Client, key: AgentKey
) -> None:
    point = habit(key, ["Tier M"] * 6)
    place, address = str(point.workspace_id), reverse("choices-settled")

    def shown() -> dict[str, bool]:
        found = hers.get(address).context["allowances"]
        return {str(each.workspace.pk) if each.workspace else "": each.allowed for each in found}

    assert shown() == {"": True, place: True}
    hers.post(reverse("choices-resolving"), {"workspace": place, "allowed": "0"})
    assert shown() == {"": True, place: False}
    assert "always asked" in hers.get(address).content.decode()
    hers.post(reverse("choices-resolving"), {"workspace": place, "allowed": "1"})
    hers.post(reverse("choices-resolving"), {"allowed": "0"})
    assert shown() == {"": False, place: True}
    assert AuditEvent.objects.filter(verb="choice.resolving").count() == 3


def test_options_count_together_and_apart_again(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 4 + ["Tier L"] * 2)
    medium, large = point.options.get(label="Tier M"), point.options.get(label="Tier L")
    post(hers, "point-alias", point, version=point.version, option=large.pk, alias_of=medium.pk)
    page = hers.get(reverse("point", args=[point.pk]))
    assert page.context["known"].counts["tier m"] == 6
    assert "“Tier L” counts as “Tier M”" in page.content.decode()
    post(hers, "point-alias", point, version=version(point), option=large.pk, alias_of="")
    assert hers.get(reverse("point", args=[point.pk])).context["known"].counts["tier m"] == 4


def test_merge_and_split_are_each_others_way_back(hers: Client, key: AgentKey) -> None:
    one = habit(key, ["Tier M"] * 3)
    two = habit(key, ["Tier S"] * 2, question="Quite another matter of sizes?")
    assert one.pk != two.pk
    said = post(hers, "point-merge", two, version=two.version, into=one.pk)
    assert "Asked in 2 wordings" in said
    assert hers.get(reverse("point", args=[one.pk])).context["known"].n == 5
    old = hers.get(reverse("point", args=[two.pk]))
    assert old.headers["Location"] == reverse("point", args=[one.pk])
    moved = one.wordings.get(question="Quite another matter of sizes?")
    post(hers, "point-split", one, version=version(one), wording=moved.pk)
    assert sorted(row["known"].n for row in hers.get(reverse("choices")).context["rows"]) == [2, 3]


def test_category_and_name_are_the_persons_own(hers: Client, key: AgentKey) -> None:
    point = habit(key, ["Tier M"] * 3)
    post(hers, "point-category", point, version=point.version, category="pr_routing")
    post(hers, "point-name", point, version=version(point), name="How large?")
    page = hers.get(reverse("choices"), {"category": "pr_routing"})
    assert [row["point"].title for row in page.context["rows"]] == ["How large?"]


class TestQuarantine:
    def test_a_call_that_was_not_understood_can_be_read_and_put_away(
        self, hers: Client, key: AgentKey
    ) -> None:
        call = misread(key)
        said = hers.get(reverse("choices-quarantine")).content.decode()
        assert "It answers a question that was not asked." in said
        assert "Something else?" in said
        assert "still not understood" in post(hers, "quarantine-run", call)
        assert "Everything was understood" in post(hers, "quarantine-dismiss", call)

    def test_after_an_update_it_is_understood(self, hers: Client, key: AgentKey) -> None:
        call = misread(key)
        payload = call.payload
        payload["tool_response"]["answers"] = {"Which tier fits this spec?": "Tier M"}
        Quarantine.objects.filter(pk=call.pk).update(payload=payload)
        assert "1 choice counts" in post(hers, "quarantine-run", call)
        assert hers.get(reverse("choices")).context["rows"][0]["leader"] == "Tier M"


class TestBacktest:
    def test_without_answers_it_says_so(self, hers: Client) -> None:
        assert "Nothing to replay yet" in hers.get(reverse("choices-backtest")).content.decode()

    def test_with_few_answers_it_says_that_they_are_few(self, hers: Client, key: AgentKey) -> None:
        habit(key, ["Tier M"] * 6)
        page = hers.get(reverse("choices-backtest"))
        said = page.content.decode()
        assert f"Only {page.context['replay'].n} answers could be replayed" in said
        for words in ("Hikae", "the last choice", "the majority so far", "always the default", "<svg"):
            assert words in said

    def test_the_rate_is_taken_over_and_given_back(self, hers: Client, key: AgentKey) -> None:
        answer(key)
        hers.post(reverse("choices-rate"), {"rate": "0.03"})
        assert LearningSetting.objects.get(user=key.user).decay_rate == 0.03
        page = hers.get(reverse("choices-backtest"))
        assert "in 23 days (0.03 a day)" in page.content.decode()
        hers.post(reverse("choices-rate"), {"rate": ""})
        assert LearningSetting.objects.get(user=key.user).decay_rate is None
