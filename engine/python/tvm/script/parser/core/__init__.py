"""The parts of the reader of scripts that Python programs use: the tree of a text, its evaluation, its places.  Programs
themselves are read by the engine."""
from . import diagnostics, dispatch, doc, doc_core, entry, error, evaluator, parser, utils
from .diagnostics import Source
from .entry import parse
