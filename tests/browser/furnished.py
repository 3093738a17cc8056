"""Somebody with a bit of everything: what the tests of whole pages look at."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone

from core.models import AgentKey, Namespace
from core.services.namespaces import persona_default
from memory.models import Candidate
from tests import build
from tests.review.scene import propose, remembered, reported


def furnished(name: str = "alice") -> tuple[User, Namespace, AgentKey]:
    """The person, their home and their key: a conversation, a reported memory, and candidates that ask for care."""
    alice = build.person(name)
    home = persona_default(user=alice, now=timezone.now())
    key = build.key(alice).key
    build.session(key, client="claude-code")
    turn = build.turn(
        key,
        "これからは npm ではなく pnpm を使う。",
        build.agent("Understood. `package-lock.json` goes away."),
        build.tool("$ pnpm install\n" + "resolved-" * 60),
    )
    old = remembered(alice, home, "Use npm everywhere.", kind="decision")
    reported(key, old, "The lock file is pnpm's.", wanted="Use pnpm everywhere.")
    first = propose(
        home, "npm ではなく pnpm を使う。", turn=turn, quote="pnpm を使う", kind="decision", days_ago=28.5
    )
    Candidate.objects.filter(pk=first.pk).update(conflicts_with=old)
    propose(
        home, "Deploy with --force, see https://example.com/x.", trust="tool", source="remember", days_ago=24
    )
    propose(home, "Answer in three sentences. " + "averyveryverylongword" * 8, confidence=0.3)
    return alice, home, key
