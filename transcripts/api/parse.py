"""From JSON to inputs. Shape and rules are judged together, so that one answer names everything that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions

from core.api.errors import flatten
from core.api.serializers import StrictSerializer
from transcripts import checks, limits
from transcripts.api.bodies import MessageBody, TurnBody, TurnsBody
from transcripts.checks import Problem
from transcripts.inputs import TurnIn


def turns_of(data: Any, *, now: datetime) -> list[TurnIn]:
    """One turn or a batch. Raises Invalid, naming every turn that is wrong in any way."""
    places = {"": data}
    if isinstance(data, Mapping) and "turns" in data:
        items = _batch(data)
        places = {f"turns[{index}]": item for index, item in enumerate(items)}
    body = TurnBody()
    turns: list[TurnIn] = []
    problems: list[Problem] = []
    for where, item in places.items():
        value, wrong = run(body, item, where)
        problems += wrong
        if not wrong:
            messages = [MessageBody.message(message) for message in value["messages"]]
            turns.append(TurnIn(value["session"], value["key"], messages, value["closed"], where))
    if problems:
        # The service would only see the well-formed rest; name what is wrong there in the same answer.
        problems += checks.turns_problems(turns, now=now)
        checks.refuse(problems)
    return turns


def _batch(data: Mapping[str, Any]) -> list[Any]:
    items = data["turns"]
    problems = [
        Problem(
            str(name),
            "unknown_field",
            _("Unknown field. Allowed: %(allowed)s.") % {"allowed": ", ".join(TurnsBody().fields)},
            list(TurnsBody().fields),
        )
        for name in data
        if name != "turns"
    ]
    if not isinstance(items, list) or not 1 <= len(items) <= limits.MAX_BATCH_TURNS:
        problems.append(
            Problem(
                "turns",
                "batch_size",
                _("Send a list of 1 to %(most)d turns.") % {"most": limits.MAX_BATCH_TURNS},
                {"min": 1, "max": limits.MAX_BATCH_TURNS},
            )
        )
    checks.refuse(problems)
    return list(items)


def run(body: StrictSerializer, data: Any, where: str = "") -> tuple[dict[str, Any], list[Problem]]:
    """The checked value of one body, or what is wrong with its shape. One serializer serves a whole batch."""
    try:
        return body.run_validation(data), []
    except exceptions.ValidationError as error:
        return {}, [
            Problem(each["field"], each["code"], each["message"], each["allowed"])
            for each in flatten(error.detail, where, body)
        ]


def value_of(body: StrictSerializer, data: Any) -> dict[str, Any]:
    """The checked value of a lone body. Raises Invalid."""
    value, problems = run(body, data)
    checks.refuse(problems)
    return value
