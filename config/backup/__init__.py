"""Everything of an installation in one file, and back (design section 7: ``backup``, ``restore``)."""
