"""A page carries a bounded part of a conversation, however much was said, and the rest is one link away."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from core.models import AgentKey
from review.selectors import sessions as talks
from review.selectors.candidate import Said
from tests import build
from tests.review.scene import propose, signed_in
from transcripts.models import AgentSession, Turn

pytestmark = pytest.mark.django_db
LONG = "あ" * 60_000  # 180,000 bytes


def shown(said: Sequence[Said]) -> list[str]:
    return ["".join(piece.text for piece in each.pieces) for each in said]


def talk(user: User, **kwargs: int | None) -> talks.Conversation:
    return talks.conversation(user=user, session=AgentSession.objects.get(), **kwargs)  # type: ignore[arg-type]


def test_a_page_ends_where_it_is_full_and_the_next_goes_on_there(alice: User, key: AgentKey) -> None:
    turns = [build.turn(key, f"{number} {LONG}", name=f"t{number}") for number in range(5)]
    seen: list[int] = []
    start: int | None = None
    while True:
        page = talk(alice, start=start)
        assert len(page.turns) <= 2
        assert not any(view.shortened for view in page.turns)
        seen += [view.turn.pk for view in page.turns]
        if page.later is None:
            break
        start = page.later
    assert seen == [turn.pk for turn in turns]


def test_the_message_of_a_link_is_shown_though_what_leads_to_it_fills_the_page(
    alice: User, key: AgentKey
) -> None:
    turns = [build.turn(key, LONG, LONG, name=f"t{number}") for number in range(3)]
    page = talk(alice, message=build.messages(turns[2])[1].pk)
    assert [view.turn.pk for view in page.turns] == [turns[2].pk]
    assert page.earlier == turns[0].pk


class TestATurnThatIsMoreThanAPage:
    @pytest.fixture
    def turn(self, key: AgentKey) -> Turn:
        return build.turn(key, "Short.", f"{LONG} Use pnpm, not npm. {LONG[:30_000]}", LONG, LONG)

    def test_shows_the_head_of_each_message_and_what_is_cited(self, alice: User, turn: Turn) -> None:
        propose(turn.session.home, turn=turn)
        (view,) = talk(alice).turns
        short, cited, *long = shown(view.said)
        assert short == "Short."
        assert "Use pnpm, not npm." in cited
        assert len(cited) < 1_000
        assert long == ["あ" * talks.HEAD_CHARS] * 2
        assert list(view.shortened) == [message.pk for message in build.messages(turn)[1:]]

    def test_shows_the_message_that_a_link_names_whole(self, alice: User, turn: Turn) -> None:
        wanted = build.messages(turn)[2]
        (view,) = talk(alice, message=wanted.pk).turns
        assert shown(view.said)[2] == LONG
        assert wanted.pk not in view.shortened

    def test_leads_there_from_the_page(self, alice: User, turn: Turn) -> None:
        wanted = build.messages(turn)[2]
        page: Client = signed_in(alice)
        address = reverse("session", args=[turn.session_id])
        answer = page.get(address)
        assert len(answer.content) < talks.PAGE_BYTES
        assert f'href="?message={wanted.pk}#m-{wanted.pk}"' in answer.content.decode()
        assert LONG in page.get(address, {"message": wanted.pk}).content.decode()

    def test_is_not_found_by_a_stranger(self, turn: Turn) -> None:
        address = reverse("session", args=[turn.session_id])
        assert signed_in(build.person("charlie")).get(address).status_code == 404
