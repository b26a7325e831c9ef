"""What can be known of functions and statements."""
import _loopscope as _core

from .checks import (OOBChecker, assert_pure_function, calculate_allocated_bytes, calculate_workspace_bytes, is_pure_function, repeated_definition,
                     told, verify_ssa)
from .flops import estimate_tir_flops
from .lca import detect_buffer_access_lca


def expr_deep_equal(lhs, rhs):
    """Are two expressions the same, variables by identity?"""
    return _core.deep_equal(lhs, rhs)


def get_block_access_region(block, buffer_var_map=None):
    """[reads, writes, opaques] of a block."""
    return [list(part) for part in _core.access_region(block)]


get_sblock_access_region = get_block_access_region


def get_block_read_write_region(block, buffer_var_map=None):
    """[reads, writes] of a block, opaque accesses in both."""
    reads, writes, opaques = get_block_access_region(block)
    return [reads + opaques, writes + opaques]


get_sblock_read_write_region = get_block_read_write_region


def verify_well_formed(obj, assert_mode=True):
    """Is a function or module well formed?  With assert_mode what is wrong is raised."""
    findings = _core.verify(obj)
    wrong = None if findings is None else told(findings)
    if wrong is None:
        twice = repeated_definition(obj)
        wrong = None if twice is None else f"TIR is ill-formed, due to multiple definitions of variable {twice}."
    if wrong is not None and assert_mode:
        raise ValueError(wrong)
    return wrong is None


def undefined_vars(node, defs=None):
    """Variables that are used and not bound."""
    from ..expr import Var

    bound, used = [], []

    def visit(n):
        kind = _core.kind(n)
        if kind in ("For",):
            bound.append(n.loop_var)
        elif kind in ("Let", "LetStmt"):
            bound.append(n.var)
        elif kind == "Allocate":
            bound.append(n.buffer_var)
        elif kind == "Block":
            bound.extend(v.var for v in n.iter_vars)
        if isinstance(n, Var) and not any(n.same_as(v) for v in used):
            used.append(n)

    _core.walk(node, None, visit)
    known = bound + list(defs or [])
    return [v for v in used if not any(v.same_as(b) for b in known)]
