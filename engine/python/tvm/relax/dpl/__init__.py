"""The language of dataflow patterns."""
from .pattern import *  # noqa: F401,F403
from .pattern import _is_call_dps_packed, _is_call_tir  # noqa: F401
from .context import PatternContext
from .rewrite import ExprPatternRewriter, OrRewriter, PatternMatchingRewriter, TupleRewriter, rewrite_bindings, rewrite_call
from . import context, pattern, rewrite
