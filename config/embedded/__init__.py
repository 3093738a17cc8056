"""Real PostgreSQL and Valkey from installed wheels, and the supervisor behind ``bin/up`` (design section 7).

Nothing in this package imports Django: it must work before settings can be read.
"""
