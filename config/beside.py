"""Two ASGI applications under one address: a few paths and the lifespan for one, everything else for the other."""

from __future__ import annotations

from collections.abc import Collection

from config.sized import Application, Receive, Scope, Send


class Beside:
    """``other`` answers ``paths`` and hears of start and stop; ``main``, which knows no lifespan, gets the rest."""

    def __init__(self, main: Application, other: Application, *, paths: Collection[str]) -> None:
        self.main = main
        self.other = other
        self.paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_other = scope["type"] == "lifespan" or scope.get("path") in self.paths
        await (self.other if is_other else self.main)(scope, receive, send)
