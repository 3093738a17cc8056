"""Where the embedded servers of a data folder answer, for settings and manage.py (design section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psycopg

from config.embedded import port, sockets
from config.embedded.errors import ServersDown
from config.embedded.home import Home
from config.embedded.lock import DataLock


@dataclass(frozen=True)
class Addresses:
    """URLs of the two embedded servers, whether they run or not."""

    database: str
    redis: str


def urls(data: Path) -> Addresses:
    """Addresses follow from the data folder's path alone, so that nothing has to be looked up or written."""
    folder = sockets.socket_dir(data)
    return Addresses(database=sockets.database_url(folder), redis=sockets.redis_url(folder))


def site(data: Path) -> str:
    """Address of the web process that ``bin/up`` runs, or last ran, on this data folder."""
    number = DataLock(Home(data).lock).read().get("port")
    return port.site(number if isinstance(number, int) else port.DEFAULT)


def require(data: Path) -> None:
    """Raise ServersDown (exit 3) unless the embedded database of this data folder answers."""
    try:
        psycopg.connect(urls(data).database, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        if "permission denied" in str(error).lower():
            raise ServersDown(
                f"The database of {data} belongs to another user. Use the account that runs bin/up (or root)."
            ) from error
        raise ServersDown(
            f"Hikae's servers are not running for {data}. Start them with bin/up, "
            "name another folder in HIKAE_DATA, or give DATABASE_URL."
        ) from error
