"""Stands in for matplotlib where it is not installed: pyplot.imshow shows its array, the rest says what is missing."""
