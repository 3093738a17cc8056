"""What reads rows of this room."""
