"""Install Hikae's plugin: `python3 claude-code.zip`, or `python3 .` in this folder. Standard library only.

    python3 claude-code.zip [--yes] [--uninstall]

It unpacks the plugin to ~/.hikae/plugin, keeps the agent key in ~/.hikae/key (mode 600), and asks Claude Code to take
the plugin. It says what it is going to do and asks first; no setting of Claude Code is written by it.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
MARKET, PLUGIN = "hikae", "hikae@hikae"


def main(words: list[str]) -> None:
    if sys.version_info < (3, 9):
        sys.exit("Hikae's plugin needs Python 3.9 or newer.")
    home = os.environ.get("HIKAE_HOME") or os.path.join(os.path.expanduser("~"), ".hikae")
    target = os.path.join(home, "plugin")
    if "--uninstall" in words:
        return remove(home, target)
    agreed = "--yes" in words
    print("Hikae for Claude Code. This will")
    print("  - unpack the plugin to {}".format(target))
    print("  - keep your agent key in {} (only you can read it)".format(os.path.join(home, "key")))
    print("  - run: claude plugin marketplace add {}".format(target))
    print("         claude plugin install {}".format(PLUGIN))
    if not agreed and not sys.stdin.isatty():
        sys.exit("There is no terminal to ask you at. Add --yes if you agree; nothing was changed.")
    if not agreed and input("Go on? [Y/n] ").strip().lower() not in ("", "y", "yes", "j", "ja"):
        sys.exit("Nothing was changed.")
    os.makedirs(home, mode=0o700, exist_ok=True)
    unpack(target)
    has_key = keep_key(home)
    call = shutil.which("claude")
    done = call is not None and run(call, "marketplace", "add", target) and run(call, "install", PLUGIN)
    if not done:
        print("\nPlease type these two lines in Claude Code:")
        print("  /plugin marketplace add {}".format(target))
        print("  /plugin install {}".format(PLUGIN))
    if not has_key:
        print("\nThere is no agent key yet. Put it into {}, in one line.".format(os.path.join(home, "key")))
    print("\nStart a new session of Claude Code, then try /hikae:status")


def unpack(target: str) -> None:
    """The new one whole beside the old one, then in its place."""
    fresh = target + ".new"
    shutil.rmtree(fresh, ignore_errors=True)
    if zipfile.is_zipfile(HERE):
        with zipfile.ZipFile(HERE) as archive:
            archive.extractall(fresh)
    else:
        shutil.copytree(HERE, fresh, ignore=shutil.ignore_patterns("__pycache__"))
    if shutil.which("python3") is None:  # Windows calls it otherwise
        rename_python(fresh, os.path.basename(sys.executable) if shutil.which("python") else sys.executable)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(fresh, target)


def rename_python(folder: str, name: str) -> None:
    path = os.path.join(folder, "hikae", "hooks", "hooks.json")
    with open(path, encoding="utf-8") as file:
        hooks = json.load(file)
    for entries in hooks["hooks"].values():
        for entry in entries:
            for hook in entry["hooks"]:
                hook["command"] = name
    with open(path, "w", encoding="utf-8") as file:
        json.dump(hooks, file, indent=2)
    path = os.path.join(folder, "hikae", ".mcp.json")
    with open(path, encoding="utf-8") as file:
        entry = json.load(file)
    server = entry["mcpServers"]["hikae"]
    server["headersHelper"] = server["headersHelper"].replace("python3", '"{}"'.format(name), 1)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(entry, file, indent=2)


def keep_key(home: str) -> bool:
    """Ask for the key where somebody can answer, unless there is one; is there one now?"""
    path = os.path.join(home, "key")
    if os.path.exists(path) or os.environ.get("HIKAE_KEY"):
        return True
    if not sys.stdin.isatty():
        return False
    key = getpass.getpass(
        "Agent key (Settings, Agent keys; it is not shown while you paste it; empty: later): "
    ).strip()
    if key:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(key + "\n")
    return bool(key)


def run(call: str, *words: str) -> bool:
    print("$ claude plugin {}".format(" ".join(words)))
    try:
        return subprocess.run([call, "plugin", *words]).returncode == 0
    except OSError:
        return False


def remove(home: str, target: str) -> None:
    """Takes the plugin out again. The key and what waits in the spool stay: they are yours."""
    call = shutil.which("claude")
    if call:
        run(call, "uninstall", PLUGIN)
        run(call, "marketplace", "remove", MARKET)
    shutil.rmtree(target, ignore_errors=True)
    print(
        "The plugin is gone. Your key and what waits are still in {}; delete the folder if you like.".format(
            home
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
