"""The parts of core in one place."""
from .core import dispatch, doc, doc_core, utils
from .core.diagnostics import Source
from .core.dispatch import OpMethod, ParseMethod, register_op
from .core.entry import parse
