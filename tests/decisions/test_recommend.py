"""What a person, a key and a workspace allow is respected; and only the issued recommendation is written."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from core.errors import Conflict, Invalid, NotFound
from core.models import AgentKey, Namespace
from decisions.models import Choice, DecisionPoint, Recommendation
from decisions.services import allowing, preferences, resets
from decisions.services.arranging import option_alias
from decisions.tasks import archive_choices
from tests import build
from tests.contract.routes import error_of, rows
from tests.decisions.choosing import RECOMMEND, TIERS, asked, asking, clicked, habit, opened, spread
from transcripts.models import AgentSession

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice: User, key: AgentKey) -> APIClient:
    opened(key)
    return build.api(build.key(alice, name="asks").secret)


def point(user: User) -> DecisionPoint:
    return DecisionPoint.objects.visible_to(user).get()


def sure(key: AgentKey) -> None:
    habit(key, TIERS, [1] * 25)


def test_only_the_issued_recommendation_is_written(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    before = rows()
    asked(client, asking(), asking("Which cycle?", ("DDD", "TDD")))
    after = rows()
    changed = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert changed == {"decisions_recommendation": 2}


def test_the_answer_learns_what_it_led_to(client: APIClient, key: AgentKey, alice: User) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    [found] = asked(client)
    clicked(
        key, found["options"][0]["display"], labels=[o["display"] for o in found["options"]], session="ask"
    )
    issued = Recommendation.objects.visible_to(alice).get(pk=found["id"])
    assert issued.fate == "followed"
    assert issued.choice is not None
    assert (issued.choice.labelled, issued.choice.followed) == (True, True)
    assert issued.choice.chosen == ["tier m"]
    [again] = asked(client)
    clicked(key, "Tier S", session="ask")
    assert Recommendation.objects.get(pk=again["id"]).fate == "overridden"


def test_every_fifth_labelled_question_is_shown_without_its_label(client: APIClient, key: AgentKey) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    given = [asked(client)[0] for _each in range(10)]
    assert [each["probe"] for each in given] == [False, False, False, False, True] * 2
    for each in given:
        assert any(o["recommended"] for o in each["options"]) is not each["probe"]


def test_what_is_preferred_by_hand_goes_before_what_was_learned(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    sure(key)
    preferences.preferred_set(user=alice, point_id=point(alice).pk, option="Tier L", now=timezone.now())
    [found] = asked(client)
    assert (found["leader"], found["action"]) == ("Tier L", "ask")
    assert found["options"][0]["label"] == "Tier L"
    assert found["premise"] == "Recommended when what you set yourself still fits"
    assert preferences.preferred_clear(user=alice, point_id=point(alice).pk, now=timezone.now())
    assert asked(client)[0]["leader"] == "Tier M"


def test_an_option_beside_another_name_of_it_is_recommended_under_its_own(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    habit(key, TIERS, [0, 1] * 4)
    options = {each.label: each.pk for each in point(alice).options.all()}
    option_alias(
        point_id=point(alice).pk,
        version=point(alice).version,
        user=alice,
        option_id=options["Tier M"],
        alias_of_id=options["Tier S"],
        now=timezone.now(),
    )
    [found] = asked(client)
    assert (found["leader"], found["share"], found["n"]) == ("Tier S", 1.0, 8)
    [alone] = asked(client, asking(labels=("Tier M", "Tier L")))
    assert (alone["leader"], alone["share"]) == ("Tier M", 1.0)


def test_always_ask_and_ask_me_next_time_are_obeyed(client: APIClient, key: AgentKey, alice: User) -> None:
    sure(key)
    [settled] = asked(client)
    assert settled["action"] == "resolve"
    row = preferences.ask_next_time(
        user=alice, recommendation_id=uuid.UUID(settled["id"]), now=timezone.now()
    )
    assert row.contested_at is not None
    [found] = asked(client)
    assert (found["action"], found["reason"]) == ("ask", "always_ask")
    preferences.always_ask_set(user=alice, point_id=point(alice).pk, on=False, now=timezone.now())
    assert asked(client)[0]["action"] == "resolve"
    with pytest.raises(Invalid):
        preferences.ask_next_time(user=alice, recommendation_id=uuid.UUID(found["id"]), now=timezone.now())


def test_a_workspace_may_refuse_settling(client: APIClient, key: AgentKey, alice: User) -> None:
    sure(key)
    place = point(alice).workspace_id
    allowing.resolving_allow(user=alice, workspace_id=place, allowed=False, now=timezone.now())
    assert asked(client)[0]["reason"] == "not_allowed"
    allowing.resolving_allow(user=alice, workspace_id=place, allowed=True, now=timezone.now())
    allowing.resolving_allow(user=alice, workspace_id=None, allowed=False, now=timezone.now())
    assert asked(client)[0]["action"] == "resolve"  # the workspace says otherwise


def test_a_muted_session_is_told_nothing_and_others_are(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    sure(key)
    opened(key, "other")
    session = alice.agent_sessions.get(key="ask")
    preferences.session_mute(user=alice, session_id=session.pk, now=timezone.now())
    [found] = asked(client)
    assert (found["action"], found["reason"], found["text"]) == ("ask", "muted", "")
    assert not any(option["recommended"] for option in found["options"])
    assert asked(client, session="other")[0]["action"] == "resolve"
    preferences.session_unmute(user=alice, session_id=session.pk, now=timezone.now())
    assert asked(client)[0]["action"] == "resolve"


def test_a_reset_starts_again_and_can_be_taken_back(client: APIClient, key: AgentKey, alice: User) -> None:
    sure(key)
    category = asked(client)[0]["category"]
    made = [
        resets.reset_point(user=alice, point_id=point(alice).pk, now=timezone.now()),
    ]
    for again in (
        lambda: resets.reset_category(user=alice, category=category, now=timezone.now()),
        lambda: resets.reset_all(user=alice, now=timezone.now()),
    ):
        assert (made[-1].choices, asked(client)[0]["n"]) == (25, 0)
        back = resets.reset_undo(user=alice, preference_id=made[-1].preference.pk, now=timezone.now())
        assert (back, asked(client)[0]["n"]) == (25, 25)
        made.append(again())  # type: ignore[no-untyped-call]
    assert asked(client)[0]["state"] == "static"
    assert Choice.objects.visible_to(alice).count() == 25


@pytest.mark.parametrize(
    ("sessions", "strength"), [(9, "strong"), (10, "medium"), (50, "medium"), (51, "weak")]
)
def test_strength_follows_sessions_in_which_a_person_spoke(
    client: APIClient, key: AgentKey, sessions: int, strength: str
) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    for number in range(sessions):
        build.turn(key, "Hello.", session=f"spoken-{number}", now=timezone.now())
    for number in range(3):
        build.turn(key, build.agent("Done."), session=f"alone-{number}", now=timezone.now())
    [found] = asked(client)
    assert found["strength"] == strength
    assert any(option["recommended"] for option in found["options"]) is (strength != "weak")


def test_strength_does_not_fall_when_conversations_are_purged(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    habit(key, TIERS, spread(3, 6, 1))
    for number in range(12):
        build.turn(key, "Hello.", session=f"spoken-{number}", now=timezone.now())
    archive_choices()
    AgentSession.objects.visible_to(alice).filter(key__startswith="spoken-").delete()
    assert asked(client)[0]["strength"] == "medium"
    archive_choices()
    assert asked(client)[0]["strength"] == "medium"
    bob = build.api(build.key(build.person("bob")).secret)
    assert asked(bob)[0]["strength"] == "strong"


def test_questions_come_in_the_order_that_tells_most_and_what_they_wait_for_first(
    client: APIClient, key: AgentKey
) -> None:
    sure(key)
    habit(key, ("A", "B"), spread(5, 5), text="Left or right?")
    both = [asking(), asking("Left or right?", ("A", "B"))]
    assert [each["question"] for each in asked(client, *both)] == ["Left or right?", "Which tier?"]
    both[1]["depends_on"] = "Which tier?"
    assert [each["question"] for each in asked(client, *both)] == ["Which tier?", "Left or right?"]
    both[0]["depends_on"], both[1]["depends_on"] = ["Left or right?"], ["Which moon?"]
    assert [each["defects"] for each in asked(client, *both)] == [["unknown_dependency"], []]


def test_a_paused_workspace_is_told_so_and_nothing_is_kept(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    sure(key)
    workspace_id = point(alice).workspace_id
    assert workspace_id is not None
    Namespace.objects.filter(pk=workspace_id).update(paused_at=timezone.now())
    before = rows()
    error_of(client.post(RECOMMEND, {"session": "ask", "questions": [asking()]}), 409)
    assert rows() == before


def test_other_workspaces_lend_at_most_two_and_only_within_a_keys_reach(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    for _each in range(10):
        clicked(key, "Tier L", workspace="elsewhere")
    [found] = asked(client)
    assert (found["n"], found["state"]) == (0, "static")
    assert found["p"] == pytest.approx((1 / 3 + 2) / 3, abs=0.01)
    own = Namespace.objects.get(owner=alice, name="api")
    narrow = build.api(build.key(alice, name="narrow", reach="list", namespaces=[own]).secret)
    assert asked(narrow)[0]["p"] == pytest.approx(1 / 3)
    Namespace.objects.filter(owner=alice, name="elsewhere").update(paused_at=timezone.now())
    assert asked(client)[0]["p"] == pytest.approx(1 / 3)


def test_a_key_that_does_not_reach_the_workspace_is_refused(
    client: APIClient, key: AgentKey, alice: User
) -> None:
    other = build.workspace(alice, "other")
    narrow = build.api(build.key(alice, name="narrow", reach="list", namespaces=[other]).secret)
    assert (
        error_of(narrow.post(RECOMMEND, {"session": "ask", "questions": [asking()]}), 403)["code"]
        == "out_of_reach"
    )


def test_secrets_are_not_kept_and_the_answer_still_finds_its_question(client: APIClient, alice: User) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    [found] = asked(client, asking(f"Use {secret}?", ("yes", "no")))
    assert secret not in found["question"]
    assert secret not in Recommendation.objects.get(pk=found["id"]).question


def test_a_stranger_gets_nothing(client: APIClient, key: AgentKey, alice: User) -> None:
    sure(key)
    bob = build.person("bob")
    theirs = build.api(build.key(bob).secret)
    [found] = asked(theirs)
    assert (found["n"], found["evidence"], found["leader"]) == (0, [], None)
    assert theirs.get("/api/v1/decisions/preferences/").json() == {"preferences": [], "omitted": 0}
    session = alice.agent_sessions.get(key="ask")
    given = uuid.UUID(asked(client)[0]["id"])
    now = timezone.now()
    for act in (
        lambda: preferences.preferred_set(user=bob, point_id=point(alice).pk, option="Tier L", now=now),
        lambda: preferences.always_ask_set(user=bob, point_id=point(alice).pk, on=True, now=now),
        lambda: preferences.session_mute(user=bob, session_id=session.pk, now=now),
        lambda: preferences.ask_next_time(user=bob, recommendation_id=given, now=now),
        lambda: resets.reset_point(user=bob, point_id=point(alice).pk, now=now),
        lambda: allowing.resolving_allow(
            user=bob, workspace_id=point(alice).workspace_id, allowed=False, now=now
        ),
    ):
        with pytest.raises(NotFound):
            act()
    assert resets.reset_all(user=bob, now=now).choices == 0
    assert asked(client)[0]["action"] == "resolve"


def test_what_was_changed_meanwhile_is_not_overwritten(key: AgentKey, alice: User) -> None:
    sure(key)
    seen = point(alice)
    preferences.always_ask_set(
        user=alice, point_id=seen.pk, on=True, version=seen.version, now=timezone.now()
    )
    with pytest.raises(Conflict):
        preferences.preferred_set(
            user=alice, point_id=seen.pk, option="Tier L", version=seen.version, now=timezone.now()
        )


def test_preferences_list_leaders_by_category(client: APIClient, key: AgentKey, alice: User) -> None:
    habit(key, ("Opus", "Sonnet"), spread(2, 8), text="Which model should review?")
    clicked(key, "A", labels=("A", "B"), text="Left or right?")
    found = client.get("/api/v1/decisions/preferences/", {"category": "model_selection"}).json()[
        "preferences"
    ]
    assert [(each["leader"], each["n"], each["workspace"]) for each in found] == [
        ("Sonnet", 10, "workspace:api")
    ]
    assert len(found[0]["evidence"]) == 10
    assert len(client.get("/api/v1/decisions/preferences/").json()["preferences"]) == 2
    for path in ("?category=nope", "?x=1"):
        error_of(client.get(f"/api/v1/decisions/preferences/{path}"), 422)
    other = build.workspace(alice, "other")
    narrow = build.api(build.key(alice, name="narrow", reach="list", namespaces=[other]).secret)
    assert narrow.get("/api/v1/decisions/preferences/").json()["preferences"] == []


BAD: dict[str, Any] = {
    "no questions": [],
    "five questions": [asking(f"Question {n}?") for n in "abcde"],
    "one option": [asking(labels=("only",))],
    "options that are one": [asking(labels=("Tier M", "ｔｉｅｒ m (Recommended)"))],
    "a label that is a number": [{"question": "Which?", "options": [{"label": 1}, {"label": 2}]}],
    "options as texts": [{"question": "Which?", "options": ["a", "b"]}],
    "a default that is no option": [asking(default="Tier X")],
    "an unknown category": [asking(category="mood")],
    "a flag as text": [asking(sensitive="yes")],
    "the same question twice": [asking(), asking("which  TIER?")],
    "an empty question": [asking("   ")],
    "a question as list": [asking(["a"])],  # type: ignore[arg-type]
    "an unknown field": [asking(answer="Tier M")],
    "questions as object": {"question": "Which?"},
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_error_and_leaves_nothing(client: APIClient, name: str) -> None:
    before = rows()
    error_of(client.post(RECOMMEND, {"session": "ask", "questions": BAD[name]}), 422)
    assert rows() == before


def test_the_persons_own_rate_is_used(client: APIClient, key: AgentKey, alice: User) -> None:
    clicked(key, "Tier M", ago=timedelta(days=7))
    assert asked(client)[0]["n_effective"] == pytest.approx(0.497, abs=1e-3)
    allowing.decay_rate_set(user=alice, rate=0.0, now=timezone.now())
    assert asked(client)[0]["n_effective"] == pytest.approx(1.0)
    with pytest.raises(Invalid):
        allowing.decay_rate_set(user=alice, rate=11, now=timezone.now())
