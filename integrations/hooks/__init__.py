"""Claude Code's hook events as they come in, and the answers they get. Pure: no Django."""
