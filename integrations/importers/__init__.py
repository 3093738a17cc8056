"""Memories that somebody has elsewhere, read without trust: one file a format. Pure: no Django (docs/import.md)."""

from integrations.importers.read import FORMATS, read

__all__ = ["FORMATS", "read"]
