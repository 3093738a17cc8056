"""The plugin as one file to download: the folder as it lies here, with this server's address in it, and no key."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "claude_code"
_LEFT_OUT: Final = ("__pycache__", ".mypy_cache", ".ruff_cache")
_WHEN: Final = (2026, 1, 1, 0, 0, 0)  # of every entry: the same plugin is the same file


def bundle(*, url: str) -> bytes:
    """A zip that is installed by unpacking it, or by running it: ``python3 claude-code.zip`` (its ``__main__.py``)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(FOLDER.rglob("*")):
            name = path.relative_to(FOLDER).as_posix()
            if path.is_file() and not any(part in _LEFT_OUT for part in path.parts):
                entry = zipfile.ZipInfo(name, _WHEN)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o755 if name.endswith("hook.py") else 0o644) << 16
                archive.writestr(entry, _for(url, name, path.read_bytes()))
    return made.getvalue()


def _for(url: str, name: str, data: bytes) -> bytes:
    if name == "hikae/server.json":
        return json.dumps({"url": url}).encode()
    if name == "hikae/.mcp.json":
        entry = json.loads(data)
        entry["mcpServers"]["hikae"]["url"] = f"{url}/mcp"
        return json.dumps(entry, indent=2).encode()
    return data
