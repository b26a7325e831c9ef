"""Which loops copy memory as it is: nests around one store of one load whose elements lie one behind the other on both
sides and are met in the same order, or all of them in any order of the same iterators."""
import _loopscope as _core


class NoCopy(Exception):
    """The loops are no copy, and why."""


def _nest(loop):
    """{loop variable: range} from outside to inside, and the statement in the middle."""
    from ...ir import Range

    ranges = {}
    while _core.kind(loop) == "For":
        ranges[loop.loop_var] = Range.from_min_extent(loop.min, loop.extent)
        loop = loop.body
    return ranges, loop


def _offset(access):
    offsets = access.buffer.offset_of(list(access.indices))
    if len(offsets) != 1:
        raise NoCopy(f"Expected flattened dimension of {access.buffer.name} to be 1, but found {len(offsets)}")
    return offsets[0]


def _iterators(offset, ranges, side, analyzer):
    from ...arith import detect_iter_map

    found = detect_iter_map([offset], ranges, True, "bijective", False)
    if found.errors or not len(found.indices):
        why = "; ".join(str(e) for e in found.errors)
        raise NoCopy(f"arith::DetectIterMap({side}) returned errors: [{offset} does not form a bijective transform of the loops: {why}]")
    return found.indices[0]


def _count(ranges, analyzer):
    from .. import const

    total = const(1, next(iter(ranges)).dtype)
    for dom in ranges.values():
        total = total * dom.extent
    return analyzer.simplify(total)


def _extent(expr, domains, analyzer):
    """(least value, number of values) of an expression over domains."""
    found = analyzer.int_set(expr, domains)
    return analyzer.simplify(found.min_value), analyzer.simplify(found.max_value - found.min_value + 1)


def _check_size(offset, total, domains, side, analyzer):
    _, size = _extent(offset, domains, analyzer)
    if not analyzer.can_prove_equal(total, size):
        raise NoCopy(f"Mismatch between loop iterations ({total}) and number of {side} indices touched ({size}).  Is this index expression one-to-one?")


def _check_order(source, target, analyzer):
    if len(source.args) != len(target.args):
        raise NoCopy(f"IterMap for src/dst unpacked to different number of iterators, {len(source.args)} and {len(target.args)} respectively.")
    for one, other in zip(source.args, target.args):
        if not _core.deep_equal(one.source.source, other.source.source):
            raise NoCopy(f"The iterators have different source expressions, {one.source.source} and {other.source.source}")
        for part in ("lower_factor", "extent", "scale"):
            if not analyzer.can_prove_equal(getattr(one, part), getattr(other, part)):
                raise NoCopy(f"The iterators have different {part}, {getattr(one, part)} and {getattr(other, part)}")


def _region(access, domains, analyzer):
    from ...ir import Range
    from ..stmt import BufferRegion

    return BufferRegion(access.buffer, [Range.from_min_extent(*_extent(index, domains, analyzer)) for index in access.indices])


def memcpy_of(loop, analyzer):
    """(region that is read, region that is written) of a nest of loops; NoCopy where it is no copy."""
    from ...arith import IntervalSet

    ranges, store = _nest(loop)
    if _core.kind(store) != "BufferStore":
        raise NoCopy(f"Expected innermost loop to have BufferStore body, but instead found {_core.kind(store)}")
    load = store.value
    if _core.kind(load) != "BufferLoad":
        raise NoCopy(f"Expected BufferStore's value to be BufferLoad, but was {_core.kind(load)}")
    domains = {var: IntervalSet(dom.min, dom.min + dom.extent - 1) for var, dom in ranges.items()}
    offsets = [_offset(access) for access in (load, store)]
    maps = [_iterators(offset, ranges, side, analyzer) for offset, side in zip(offsets, ("src", "dst"))]
    total = _count(ranges, analyzer)
    for offset, side in zip(offsets, ("src", "dst")):
        _check_size(offset, total, domains, side, analyzer)
    _check_order(*maps, analyzer)
    return _region(load, domains, analyzer), _region(store, domains, analyzer)


def identify_memcpy(stmt):
    """For each loop of a statement, from outside to inside: the two regions, or a StringImm that says why it is no copy."""
    from ...arith import Analyzer
    from ...ir import Range
    from ..expr import StringImm

    analyzer, result = Analyzer(), []

    def enter(node):
        if _core.kind(node) == "For":
            try:
                result.append(memcpy_of(node, analyzer))
            except NoCopy as why:
                result.append(StringImm(str(why)))
            analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        return True

    _core.walk(stmt, enter, None)
    return result
