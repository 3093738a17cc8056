"""A namespace as one file: everything it holds, to take along and to bring back (docs/export.md)."""
