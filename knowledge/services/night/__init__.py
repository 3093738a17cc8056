"""The night shift: it looks, and files proposals that a person decides (design section 6)."""
