"""Alice in her browser, for the pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.review.scene import signed_in


@pytest.fixture
def hers(alice: User) -> Client:
    return signed_in(alice)
