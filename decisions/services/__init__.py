"""What changes rows of this room: one transaction each."""
