"""How a block reads memory: the flat address of its main operand as a sum of iterators."""
from ...arith import Analyzer, IterMark, IterSplitExpr, IterSumExpr, normalize_to_iter_sum
from ...tir import IntImm, Var
from ...tir.stmt_functor import post_order_visit


def variables_of(expr):
    """The variables in an expression, each once, in the order in which they stand."""
    found = []

    def visit(node):
        if isinstance(node, Var) and not any(one.same_as(node) for one in found):
            found.append(node)

    post_order_visit(expr, visit)
    return found


def has(variables, var):
    """Is the variable among these?"""
    return any(one.same_as(var) for one in variables)


def region_variables(block, region):
    """The block's own iterators that stand in the indices of a region."""
    own = [one.var for one in block.iter_vars]
    found = []
    for dim in region.region:
        for var in variables_of(dim.min):
            if has(own, var) and not has(found, var):
                found.append(var)
    return found


def dominant_region(block):
    """The read that depends on the most iterators of the block, the first of equals; None: nothing is read."""
    best, most = None, -1
    for region in block.reads:
        count = len(region_variables(block, region))
        if count > most:
            best, most = region, count
    return best


def detect_dominant_read(block):
    """The flat address of the read that depends on the most iterators."""
    region = dominant_region(block)
    if region is None:
        return None
    (address,) = region.buffer.offset_of([dim.min for dim in region.region])
    return address


class IterSplit:
    """A summand of an address: a block's iterator `var`, divided by `lower_factor` before it is used."""

    def __init__(self, var, lower_factor):
        self.var, self.lower_factor = var, lower_factor


def iter_splits(block, address):
    """The summands of an address, the one with the largest step first; None where it is no such sum from 0."""
    ranges = {one.var: one.dom for one in block.iter_vars}
    total = normalize_to_iter_sum(address, ranges)
    if not isinstance(total, IterSumExpr) or not _is_zero(total.base):
        return None
    found = []
    for part in total.args:
        if not isinstance(part, IterSplitExpr) or not isinstance(part.source, IterMark):
            return None
        source = part.source.source
        if not isinstance(source, Var):
            return None
        found.append(IterSplit(source, part.lower_factor))
    return found


def _is_zero(expr):
    expr = Analyzer().simplify(expr)
    return isinstance(expr, IntImm) and int(expr) == 0


def factor_of(split):
    """By how much a summand's iterator is divided, as a number; None: not known."""
    return int(split.lower_factor) if isinstance(split.lower_factor, (int, IntImm)) else None
