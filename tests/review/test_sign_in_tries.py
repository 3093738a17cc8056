"""Guessing passwords: a few tries are a person, more are told to wait, and nobody else is."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings

from core import throttle
from tests import build

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse EXAMPLE"
HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def _counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def alice() -> User:
    alice = build.person("alice")
    alice.set_password(PASSWORD)
    alice.is_staff = True
    alice.save()
    return alice


def guess(
    name: str = "alice", password: str = "wrong", address: str = HERE, path: str = "/sign-in/"
) -> tuple[int, str]:
    answer = Client(REMOTE_ADDR=address, headers={"accept-language": "en"}).post(
        path, {"username": name, "password": password}
    )
    return answer.status_code, answer.content.decode()


def too_many(name: str = "alice") -> None:
    for _try in range(throttle.TRIES):
        assert guess(name)[0] == 200


def test_after_too_many_tries_not_even_the_right_password_is_looked_at(alice: User) -> None:
    too_many()
    for password in ("wrong", PASSWORD):
        status, said = guess(password=password)
        assert status == 429
        assert "Too many tries. Wait 15 minutes" in said
        assert "sign_in_link" in said


def test_the_answer_says_when_to_come_back(alice: User, client: Client) -> None:
    for _try in range(throttle.TRIES + 1):
        answer = client.post("/sign-in/", {"username": "alice", "password": "wrong"})
    assert answer.headers["Retry-After"] == str(throttle.SECONDS)


def test_another_spelling_of_the_name_is_the_same_name(alice: User) -> None:
    too_many()
    assert guess("ALICE")[0] == 429


def test_others_and_other_places_are_not_held_up(alice: User) -> None:
    too_many()
    assert guess(password=PASSWORD, address=THERE)[0] == 302
    assert guess("charlie")[0] == 200


def test_an_unknown_name_is_counted_like_a_known_one() -> None:
    too_many("nobody")
    assert guess("nobody")[0] == 429


def test_coming_in_starts_the_count_again(alice: User) -> None:
    for _try in range(throttle.TRIES - 1):
        guess()
    assert guess(password=PASSWORD)[0] == 302
    too_many()


def test_the_admin_counts_with_it(alice: User) -> None:
    too_many()
    status, said = guess(password=PASSWORD, path="/admin/login/")
    assert status == 200  # the admin's page knows no other
    assert "Too many tries" in said
    assert guess(password=PASSWORD, path="/admin/login/", address=THERE)[0] == 302


def test_many_at_once_are_counted_like_many_in_a_row() -> None:
    with ThreadPoolExecutor(8) as pool:
        tries = list(pool.map(lambda _n: throttle.allowed("test", HERE), range(40)))
    assert tries.count(True) == throttle.TRIES


def test_without_the_cache_everybody_may_try(alice: User) -> None:
    away = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/redis.sock",
        }
    }
    with override_settings(CACHES=away):
        assert guess(password=PASSWORD)[0] == 302
        assert throttle.allowed("test", HERE)
