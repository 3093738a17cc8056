"""The verbs of an act are those that something writes."""

from __future__ import annotations

import ast
import inspect

from review.models import Act
from review.services import acts


def test_every_verb_is_written_and_every_written_verb_is_known() -> None:
    written = {
        argument.value
        for node in ast.walk(ast.parse(inspect.getsource(acts)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_act"
        for argument in node.args[1:2]
        if isinstance(argument, ast.Constant)
    }
    assert written == {verb for verb, _label in Act.VERBS}
