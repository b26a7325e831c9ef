"""What a statement reads and writes of a buffer."""
import _loopscope as _core

from ..ir.container import Array
from ..ir.expr import Range
from .analyzer import Analyzer
from .int_set import NEG_INF, POS_INF, IntervalSet, _hull


def domain_touched(stmt, buffer, consider_loads, consider_stores):
    """The region of a buffer that a statement touches, as one Range a dimension; an empty Array where it does not."""
    from ..tir import expr as tir
    from ..tir import stmt as stmts

    domain, touched = {}, [None] * len(buffer.shape)

    def touch(indices):
        for i, index in enumerate(indices):
            found = IntervalSet._from(_core.int_set(index, domain, None))
            touched[i] = found if touched[i] is None else _hull(touched[i], found)

    def enter(node):
        if isinstance(node, stmts.For):
            domain[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        elif consider_loads and isinstance(node, tir.BufferLoad) and node.buffer.same_as(buffer):
            touch(node.indices)
        elif consider_stores and isinstance(node, stmts.BufferStore) and node.buffer.same_as(buffer):
            touch(node.indices)
        return True

    _core.walk(stmt, enter, None)
    if any(found is None for found in touched):
        return Array([])
    return Array([_range(found, extent) for found, extent in zip(touched, buffer.shape)])


def domain_touched_access_map(func):
    """For each buffer of the parameters what is read, what is written, and both: for each dimension the sets of its index, one an access."""
    from ..tir import expr as tir
    from ..tir import stmt as stmts

    domain = {}
    touched = {func.buffer_map[param]: ([], [], []) for param in func.params if param in func.buffer_map}

    def touch(buffer, indices, kinds):
        found = [IntervalSet._from(_core.int_set(index, domain, None)) for index in indices]
        for kind in kinds if buffer in touched else ():
            dims = touched[buffer][kind]
            dims.extend([] for _ in found[len(dims):])
            for dim, one in zip(dims, found):
                dim.append(one)

    def enter(node):
        if isinstance(node, stmts.For):
            domain[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        elif isinstance(node, tir.BufferLoad):
            touch(node.buffer, node.indices, (0, 2))
        elif isinstance(node, stmts.BufferStore):
            touch(node.buffer, node.indices, (1, 2))
        return True

    _core.walk(func.body, enter, None)
    return {buffer: access for buffer, access in touched.items()}


def _range(found, extent):
    if found.min_value is NEG_INF or found.max_value is POS_INF:
        return Range.from_min_extent(0, extent)
    simplify = Analyzer().simplify
    return Range.from_min_extent(found.min_value, simplify(found.max_value - found.min_value + 1))
