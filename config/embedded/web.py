"""The web process: uvicorn on a socket that the supervisor has bound already (``--fd N``).

The supervisor keeps the port from the first moment to the last, so nobody can take it between the check
and the start, and a restart of the web process refuses no connection. uvicorn's own ``--fd`` takes every
socket for a unix one and then leaves TCP_NODELAY off, which costs 40 ms a request.
"""

from __future__ import annotations

import argparse
import os
import socket

import uvicorn


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    # Threads come and go under ASGI; without a pool each would open, and leak, a connection of its own.
    os.environ.setdefault("DATABASE_POOL", "true")
    listening = socket.socket(fileno=parser.parse_args().fd)
    config = uvicorn.Config(
        "config.asgi:application",
        lifespan="off",  # Django answers no lifespan events
        access_log=False,  # it would write query strings, which may hold what people said (design section 7)
        server_header=False,
        log_level="warning",
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
