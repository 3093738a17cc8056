"""Whatever a test of this room did, the daily sums say what the choices say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from decisions.services.tallies import tallies_wrong


@pytest.fixture(autouse=True)
def sums_stay_right(request: pytest.FixtureRequest) -> Iterator[None]:
    marker = request.node.get_closest_marker("django_db")
    if marker is None:
        yield
        return
    request.getfixturevalue("transactional_db" if marker.kwargs.get("transaction") else "db")
    yield
    assert tallies_wrong() == []
