"""Pictures of numbers, as SVG text. Pure: no Django, no room but ``core.text``.

Every picture carries a title and a description, has its numbers in a table beside it, and takes its colours from
classes of the style sheet: the content policy forbids inline styles. Horizontal places are percentages, so that a
picture fills whatever width it gets while its letters and dots keep their size.
"""
