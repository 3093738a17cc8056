"""What a note of Knowledge is made of: slugs, mentions of them in a text, and notes as files. Pure: no Django."""
