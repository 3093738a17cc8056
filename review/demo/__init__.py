"""The invented history that ``bin/up --demo`` loads."""
