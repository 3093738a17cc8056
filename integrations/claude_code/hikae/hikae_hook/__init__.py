"""The hook program. Modules are imported where they are needed, and `typing` never: at each start a person waits."""

VERSION = "0.1.0"
PROTOCOL = 1  # of the envelope; the server says which ones it understands
