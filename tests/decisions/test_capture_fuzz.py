"""Whatever a payload holds: an error, a skip, the quarantine, or exactly what was clicked. Never a wrong choice."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given, settings
from hypothesis import strategies as st

from decisions.capture.clean import TooDeep, redacted
from decisions.capture.judging import judge
from decisions.capture.reading import read_hook
from decisions.capture.shapes import Call, Odd, Refused
from decisions.learning.labels import option_key
from decisions.learning.types import OTHER
from decisions.models import Choice
from tests import build
from tests.decisions.capture import URL, choices, post, pre, question, record

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["Tier M", "Tier L", "Which tier?", "AskUserQuestion", "skipped"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = [
    ("session_id",),
    ("tool_use_id",),
    ("tool_input",),
    ("tool_input", "questions"),
    ("tool_input", "questions", 0),
    ("tool_input", "questions", 0, "question"),
    ("tool_input", "questions", 0, "header"),
    ("tool_input", "questions", 0, "options"),
    ("tool_input", "questions", 0, "options", 1),
    ("tool_input", "questions", 0, "options", 1, "label"),
    ("tool_input", "questions", 0, "options", 1, "description"),
    ("tool_input", "questions", 0, "multiSelect"),
    ("tool_input", "answers"),
    ("tool_input", "metadata"),
    ("tool_response",),
    ("tool_response", "questions"),
    ("tool_response", "answers"),
    ("tool_response", "answers", "Which tier?"),
    ("tool_response", "annotations"),
    ("tool_response", "annotations", "Which tier?"),
    ("tool_response", "annotations", "Which tier?", "notes"),
    ("tool_response", "annotations", "Which tier?", "unanswered"),
    ("tool_response", "response"),
    ("tool_response", "afkTimeoutMs"),
    ("tool_response", "is_error"),
    ("agent_id",),
    ("permission_mode",),
    ("prompt_id",),
    ("effort",),
]


def changed(payload: dict[str, Any], path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """A copy with another value at that place; what leads there is made where it is missing."""
    whole = copy.deepcopy(payload)
    place: Any = whole
    for step in path[:-1]:
        place = place.setdefault(step, {}) if isinstance(place, dict) else place[step]
    place[path[-1]] = value
    return whole


def observed(payload: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """What would be stored as choices."""
    call = read_hook(redacted(payload))
    if isinstance(call, Refused):
        return []
    assert isinstance(call, Call)
    found = []
    for asked in call.asked:
        try:
            judged = judge(asked, options=asked.options, displays={}, skip=call.skip)
        except Odd:
            return []
        if judged.observed:
            found.append((asked.text, judged.chosen))
    return found


@given(path=st.sampled_from(FIELDS), value=JSON)
@settings(max_examples=250, deadline=None)
def test_one_wrong_value_anywhere_makes_no_other_choice(path: tuple[str | int, ...], value: Any) -> None:
    """Either the choice is that of the payload as it stands, or there is none."""
    payload = changed(post({"Which tier?": "Tier M"}), path, value)
    for text, chosen in observed(payload):
        answers = payload["tool_response"]["answers"]
        (answer,) = answers.values()
        parts = [answer] if isinstance(answer, str) else answer
        shown = payload["tool_response"].get("questions") or payload["tool_input"]["questions"]
        keys = {option_key(option["label"]) for option in shown[0]["options"]}
        assert text == shown[0]["question"]
        assert set(chosen) <= keys | {OTHER}
        for key in chosen:
            assert key == OTHER or any(option_key(part) == key for part in parts)


@given(payload=JSON)
@settings(max_examples=120, deadline=None)
def test_anything_can_be_read(payload: Any) -> None:
    given_ = payload if isinstance(payload, dict) else {"x": payload}
    call = read_hook(redacted({**given_, "hook_event_name": "PostToolUse"}))
    assert isinstance(call, Refused)


@given(labels=st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=4), pick=st.integers(0, 3))
@settings(max_examples=120, deadline=None)
def test_a_label_that_was_shown_is_what_was_chosen(labels: list[str], pick: int) -> None:
    label = labels[pick % len(labels)]
    found = observed(post({"Which tier?": label}, question(labels=labels)))
    assert found in ([], [("Which tier?", (option_key(label),))])
    if all(each.isalpha() and each.isascii() for each in labels) and len(
        {each.lower() for each in labels}
    ) == len(labels):
        assert found


@given(labels=st.sets(st.sampled_from(["A", "B, C", "C", "D", "E, F, G", "F"]), min_size=2), data=st.data())
@settings(max_examples=120, deadline=None)
def test_chosen_labels_with_commas_are_found_again(labels: set[str], data: st.DataObject) -> None:
    shown = sorted(labels)
    picked = data.draw(st.lists(st.sampled_from(shown), min_size=1, unique=True))
    ((_text, chosen),) = observed(post({"Which tier?": picked}, question(labels=shown, multi=True)))
    assert OTHER not in chosen
    joined = observed(post({"Which tier?": ", ".join(picked)}, question(labels=shown, multi=True)))
    assert joined == [("Which tier?", chosen)]


def test_nesting_ends_somewhere() -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    with pytest.raises(TooDeep):
        redacted({"a": deep})


ODD: list[Any] = [
    None,
    [],
    {},
    "",
    "x",
    7,
    -1.5,
    True,
    10**400,
    1e308,
    [None],
    [[]],
    {"a": {"b": []}},
    "x" * 9_000,
]


@pytest.mark.django_db
@pytest.mark.parametrize("event", ["PostToolUse", "PreToolUse", "PostToolUseFailure"])
def test_the_door_answers_every_wrong_type_without_breaking(event: str) -> None:
    alice: User = build.person("alice")
    client = build.api(build.key(alice).secret)
    number = 0
    for path in [*FIELDS, ("hook_event_name",), ("tool_name",)]:
        for value in ODD:
            number += 1
            good = post({"Which tier?": "Tier M"}, tool_use=f"toolu_{number}", hook_event_name=event)
            body = json.dumps(changed(good, path, value))
            answer = client.post(URL, data=body, content_type="application/json")
            assert answer.status_code in (200, 201, 409, 422), (path, value, answer.content[:200])
    wrong = [row for row in choices(alice) if row.outcome == "observed" and row.chosen != ["tier m"]]
    # Words that no option carries are the person's own: where the answer was changed, or the option's label.
    assert {tuple(row.chosen) for row in wrong} <= {("other",)}
    assert {row.other_text for row in wrong} <= {"x", "x" * 9_000, "Tier M"}
    labels = [[option["label"] for option in row.offered] for row in wrong if row.other_text == "Tier M"]
    assert all("Tier M" not in each for each in labels)


@pytest.mark.django_db
def test_numbers_and_depths_that_no_database_holds() -> None:
    client = build.api(build.key(build.person()).secret)
    bodies = [
        json.dumps(post({"Which tier?": "Tier M"})).replace('"toolu_1"', "1e999"),
        json.dumps(pre({})).replace("{}", "[" * 60 + "]" * 60),
        json.dumps(record()).replace('"plan"', "1e999"),
    ]
    statuses = [client.post(URL, data=b, content_type="application/json").status_code for b in bodies]
    assert statuses == [201, 422, 201]
    assert Choice.objects.get().context == {"phase": str(sys.float_info.max)}
