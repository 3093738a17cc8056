"""REST doors of this room."""
