"""Payloads of proposals: what is written is read again, and nonsense is refused."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.payloads import Merge, Payload, Ref, Retire, Supersede, fingerprint, read, write

_refs = st.builds(Ref, id=st.uuids(), version=st.integers(1, 2**31))
_texts = st.text(max_size=50).filter(lambda text: "\x00" not in text)
_unique = st.lists(_refs, min_size=2, max_size=5, unique_by=lambda ref: ref.id)
_merges = st.builds(lambda refs, text: ("merge", Merge(refs[0], tuple(refs[1:]), text)), _unique, _texts)
_supersedes = _unique.map(lambda refs: ("supersede", Supersede(refs[0], refs[1])))
_retires = st.builds(
    lambda kind, ref, how, text: (kind, Retire(ref, how, text)),
    st.sampled_from(["retire", "report"]),
    _refs,
    st.sampled_from(["wrong", "outdated"]),
    _texts,
)


@given(st.one_of(_merges, _supersedes, _retires))
def test_what_is_written_is_read_again(case: tuple[str, Payload]) -> None:
    kind, payload = case
    assert read(kind, write(payload)) == payload
    assert fingerprint(kind, write(payload)) == fingerprint(kind, write(read(kind, write(payload))))


ONE = {"id": str(uuid.uuid4()), "version": 1}
TWO = {"id": str(uuid.uuid4()), "version": 1}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("merge", {}),
        ("merge", {"keep": ONE, "drop": []}),
        ("merge", {"keep": ONE, "drop": "x"}),
        ("merge", {"keep": ONE, "drop": [ONE]}),
        ("merge", {"keep": ONE, "drop": [TWO, TWO]}),
        ("merge", {"keep": ONE, "drop": [TWO], "content": 7}),
        ("merge", {"keep": ONE, "drop": [TWO], "content": "x" * 8001}),
        ("supersede", {"old": ONE, "new": ONE}),
        ("supersede", {"old": {"id": "no", "version": 1}, "new": TWO}),
        ("supersede", {"old": {"id": ONE["id"], "version": 0}, "new": TWO}),
        ("supersede", {"old": {"id": ONE["id"], "version": True}, "new": TWO}),
        ("retire", {"memory": ONE}),
        ("retire", {"memory": ONE, "as": "boring"}),
        ("report", {"as": "wrong"}),
        ("create", {"title": "x"}),
        ("nonsense", {}),
    ],
)
def test_nonsense_is_refused(kind: str, payload: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        read(kind, payload)
