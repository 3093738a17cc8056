"""The rule by itself, over generated facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.policy import RISKY, SETTLED_BY_PEOPLE, Facts, Rule, qualifies_at

START = datetime(2026, 3, 1, tzinfo=UTC)
_moments = st.integers(0, 60 * 24 * 60).map(lambda minutes: START + timedelta(minutes=minutes))
_kinds = st.sampled_from(["preference", "fact", "decision", "pattern", "postmortem", "event"])
_rules = st.builds(
    Rule,
    min_sessions=st.integers(1, 5),
    min_confidence=st.floats(0, 1),
    min_age_hours=st.integers(0, 72),
    kinds=st.frozensets(_kinds),
)
_facts = st.builds(
    Facts,
    kind=_kinds,
    confidence=st.floats(0, 1),
    trust=st.sampled_from(["human", "confirmed", "agent", "unknown", "tool", "injected"]),
    flags=st.frozensets(st.sampled_from(sorted(RISKY | SETTLED_BY_PEOPLE))),
    rewritten=st.booleans(),
    filed_at=_moments,
    sessions=st.lists(_moments, max_size=6),
)


@given(_rules, _facts)
def test_what_qualifies_meets_every_threshold(rule: Rule, facts: Facts) -> None:
    moment = qualifies_at(rule, facts)
    if moment is None:
        return
    assert facts.kind in rule.kinds
    assert facts.confidence >= rule.min_confidence
    assert facts.trust in ("human", "confirmed")
    assert not facts.rewritten
    assert not SETTLED_BY_PEOPLE & set(facts.flags)
    assert facts.trust == "human" or not RISKY & set(facts.flags)
    assert sum(at <= moment for at in facts.sessions) >= rule.min_sessions
    assert moment - facts.filed_at >= timedelta(hours=rule.min_age_hours)


@given(_rules, _facts, _moments)
def test_one_more_session_never_delays_it(rule: Rule, facts: Facts, more: datetime) -> None:
    before = qualifies_at(rule, facts)
    after = qualifies_at(
        rule,
        Facts(
            facts.kind,
            facts.confidence,
            facts.trust,
            facts.flags,
            facts.rewritten,
            facts.filed_at,
            [*facts.sessions, more],
        ),
    )
    assert before is None or (after is not None and after <= before)
