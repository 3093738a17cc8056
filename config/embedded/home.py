"""The data folder: what lies in it, whose it is, and the secrets that are made once."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import EmbeddedError
from config.embedded.run_as import RunAs


@dataclass(frozen=True)
class Home:
    """Paths inside the data folder (``HIKAE_DATA`` or ``--data``)."""

    folder: Path

    @property
    def agent_key(self) -> Path:
        """The first agent key: for the person who starts Hikae, not for its services."""
        return self.folder / "agent.key"

    @property
    def secret_key(self) -> Path:
        """Django's SECRET_KEY: for the services."""
        return self.folder / "secret.key"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def scratch(self) -> Path:
        """The services' home: sockets and beat's notebook, nothing worth a backup."""
        return self.folder / "run"

    @property
    def lock(self) -> Path:
        return self.folder / "hikae.lock"

    def make(self) -> None:
        """Create the folder, private unless root's children have to pass through it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if os.geteuid() == 0:
                self.folder.chmod(self.folder.stat().st_mode & 0o7777 | 0o111)
            elif self.folder.stat().st_uid != os.geteuid():
                raise EmbeddedError(
                    f"{self.folder} belongs to another user. Start Hikae with the account that started it "
                    "first, or choose another folder with --data."
                )
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise EmbeddedError(f"The data folder {self.folder} cannot be used: {error.strerror}.") from error

    def ensure_secret_key(self, run_as: RunAs, environ: Mapping[str, str]) -> None:
        """Generate SECRET_KEY once, unless the environment brings one."""
        if environ.get("SECRET_KEY") or environ.get("SECRET_KEY_FILE"):
            return
        if not self.secret_key.exists():
            write_private(self.secret_key, secrets.token_urlsafe(48) + "\n")
        if os.geteuid() == 0:
            os.chown(self.secret_key, run_as.uid, run_as.gid, follow_symlinks=False)

    def keep_agent_key(self, secret: str) -> None:
        write_private(self.agent_key, secret + "\n")

    def make_scratch(self, run_as: RunAs) -> None:
        self.scratch.mkdir(mode=0o700, exist_ok=True)
        run_as.owns(self.scratch)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, from its first moment, whole or not at all."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
