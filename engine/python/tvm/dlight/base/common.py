"""Sizes that rules ask for, and vectors as wide as they may be."""
from ...runtime import DataType
from ...tir import IntImm
from ..analysis.access import variables_of


def get_bytes(dtype):
    """Of one element."""
    return (DataType(str(dtype)).bits * DataType(str(dtype)).lanes + 7) // 8


def get_extent(sch, loop_rv):
    """A number where it is known, else the expression."""
    extent = sch.get(loop_rv).extent
    return int(extent) if isinstance(extent, IntImm) else extent


def auto_vectorize(sch, loop, max_vec):
    """Vectorizes a loop, or parts of it that are not wider than `max_vec`; one whose extent is not known stays."""
    extent = get_extent(sch, loop)
    if isinstance(extent, int):
        sch.vectorize(loop if extent <= max_vec else sch.split(loop, factors=[None, max_vec])[-1])


def collect_vars_used_in_prim_expr(expr):
    """The variables of an expression."""
    return set(variables_of(expr))


def collect_block_iter_vars_used_in_access_region(block, region):
    """The block's own iterators in those dimensions of a region where one element is accessed."""
    found = set()
    for dim in region:
        if isinstance(dim.extent, IntImm) and int(dim.extent) == 1:
            found |= collect_vars_used_in_prim_expr(dim.min)
    return found & {one.var for one in block.iter_vars}
