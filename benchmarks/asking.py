"""A person, their workspaces, and questions to the REST view, for recall's benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Ask = Callable[..., list[dict[str, Any]]]


def owner() -> Any:
    from django.contrib.auth.models import User

    return User.objects.get_or_create(username="bench")[0]


def workspace(name: str) -> Any:
    from django.utils import timezone

    from core.actor import Actor
    from core.services.namespaces import namespace_create

    return namespace_create(
        owner=owner(), type="workspace", name=name, actor=Actor.operator("benchmark"), now=timezone.now()
    )


def asker(*, k: int = 10) -> Ask:
    """A function that asks as an agent's key does and gives the hits; ``floor`` none or default."""
    from django.utils import timezone
    from rest_framework.test import APIClient

    from core.actor import Actor
    from core.services.keys import agent_key_create

    user = owner()
    key = agent_key_create(user=user, name="bench", actor=Actor.person(user), now=timezone.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key.secret}", HTTP_HOST="127.0.0.1")

    def ask(question: str, names: Sequence[str], *, floor: str = "default") -> list[dict[str, Any]]:
        scope = [name if ":" in name else f"workspace:{name}" for name in names]
        body = {"q": question, "namespace": scope, "k": k, "floor": floor}
        response = client.post("/api/v1/recall/", body, format="json")
        assert response.status_code == 200, response.content
        hits: list[dict[str, Any]] = response.json()["hits"]
        return hits

    return ask


if __name__ == "__main__":  # a part of other benchmarks: says what it is
    print(__doc__)
