"""Run ``prepare.py`` as the services' user and relay what it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded import processes
from config.embedded.errors import EmbeddedError
from config.embedded.logs import open_log
from config.embedded.programs import leashed
from config.embedded.progress import say, step
from config.embedded.run_as import RunAs


@dataclass(frozen=True)
class Preparation:
    """``link``: the one-time sign-in address."""

    link: str


def prepare(
    run_as: RunAs,
    environ: Mapping[str, str],
    root: Path,
    log: Path,
    *,
    base: str,
    keep_key: Callable[[str], None] | None = None,
    demo: bool = False,
    link_only: bool = False,
) -> Preparation:
    """Migrate, make the owner and the first key, load the demonstration, make a sign-in link.

    ``keep_key`` gets the new key's secret at once, since it is told only once; None = no key is made.
    Raises EmbeddedError with the log's end.
    """
    flags = {"--make-key": keep_key is not None, "--demo": demo, "--link-only": link_only}
    words = ["-P", "-m", "config.embedded.prepare", "--base", base]
    found: dict[str, str] = {}
    with (
        step("Preparing") if not link_only else step("Making a sign-in link"),
        open_log(log) as errors,
        subprocess.Popen(
            run_as.command(*leashed(*words, *(flag for flag, wanted in flags.items() if wanted))),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=root,
            env=dict(environ),
            text=True,
            start_new_session=True,
            **run_as.popen(),
        ) as child,
    ):
        try:
            assert child.stdout is not None
            for line in child.stdout:
                fact = json.loads(line)
                if "step" in fact:
                    say(f"  {fact['step']} ...")
                if "key" in fact and keep_key is not None:
                    keep_key(fact["key"])
                found |= fact
            code = child.wait()
        except BaseException:
            child.terminate()
            raise
    if code != 0 or "link" not in found:
        raise EmbeddedError(f"Preparing failed. The end of {log}:\n{processes.tail(log)}")
    return Preparation(link=found["link"])
