"""The printer's documents: Python programs as trees, and their text."""
from . import doc, doc_printer
