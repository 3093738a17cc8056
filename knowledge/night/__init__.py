"""What the night shift thinks about memories. Pure: no Django, no clock (design section 6)."""
