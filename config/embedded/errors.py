"""What can go wrong while starting, said in sentences a person can act on."""

from __future__ import annotations


class EmbeddedError(Exception):
    """A start-up problem; ``str(error)`` is shown as it is. ``exit_code`` is what the command ends with."""

    exit_code = 1


class ServersDown(EmbeddedError):
    """The embedded servers of a data folder are not running (exit 3, design section 7)."""

    exit_code = 3


class PortTaken(EmbeddedError):
    """Another program listens on the wanted port (exit 4)."""

    exit_code = 4
