"""Which layouts of blocks and inputs fit layouts that are wanted of the outputs (TVM's layout inference).

Each access of a block is read as a list of labels: the spatial iterator that a dimension follows, or None.  The wanted map
of the output is then told in labels, and carried over to the block and to the inputs: what depends on labels that are not
there is dropped, dimensions without a label stay where they are.  An access that mixes iterators, two different accesses of
one buffer, an order other than that of the block, nested blocks: nothing is suggested for it.
"""
import _loopscope as _core

from ...arith.iter_affine_map import IterMapLevel, detect_iter_map
from ...error import TVMError
from ...tir import Block, IndexMap, IterVar, PrimFunc, Var


def _labels(index, spatial):
    """The spatial iterators that an index follows."""
    found = []
    _core.walk(index, None, lambda node: found.append(node) if isinstance(node, Var) and any(node.same_as(v) for v in spatial) else None)
    return [v for i, v in enumerate(found) if not any(v.same_as(w) for w in found[:i])]


def _layout(indices, domain):
    """The label of each dimension; None where the access is not of that kind."""
    result = detect_iter_map(list(indices), domain, True, IterMapLevel.NoCheck, True)
    if len(list(indices)) and not list(result.indices):
        return None
    labels = [_labels(index, domain) for index in result.indices]
    return None if any(len(x) > 1 for x in labels) else [x[0] if x else None for x in labels]


def _same(a, b):
    return a is None and b is None or (a is not None and b is not None and a.same_as(b))


def _equal(a, b):
    return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))


def _place(label, labels):
    return next((i for i, other in enumerate(labels) if _same(label, other)), None)


def _in_order(layout, order):
    places = [_place(label, order) for label in layout if label is not None]
    return all(a < b for a, b in zip(places, places[1:]))


def _carry(index_map, source, target):
    """The map of `source` as one of `target`, or None."""
    kept = [v for v, label in zip(index_map.initial_indices, source) if _place(label, target) is not None]
    initial, final = list(kept), []
    for expr in index_map.final_indices:
        used = _labels(expr, list(index_map.initial_indices))
        here = [any(v.same_as(w) for w in kept) for v in used]
        if all(here):
            final.append(expr)
        elif any(here):
            return None
    at = 0
    for i, label in enumerate(target):
        if label is not None and _place(label, source) is not None:
            at += at < len(final)
            continue
        fresh = Var("d", "int32")
        initial.insert(i, fresh)
        final.insert(at, fresh)
        at += 1
    return IndexMap(initial, final)


def _accesses(block, domain):
    """(buffer, layout or None) of every buffer, the outermost block's nested blocks counted as none at all."""
    layouts, nested = [], []

    def enter(node):
        kind = _core.kind(node)
        if kind == "Block":
            nested.append(node)
        if kind not in ("BufferLoad", "BufferStore"):
            return
        layout = _layout(node.indices, domain)
        row = next((row for row in layouts if row[0].same_as(node.buffer)), None)
        if row is None:
            layouts.append([node.buffer, layout])
        elif layout is None or row[1] is None or not _equal(layout, row[1]):
            row[1] = None

    _core.walk(block.body, None, enter)
    return None if nested else layouts


def _is_bijective(index_map, block):
    domain = {v: iter_var.dom for v, iter_var in zip(index_map.initial_indices, block.iter_vars)}
    return len(list(detect_iter_map(list(index_map.final_indices), domain, True, IterMapLevel.Bijective, True).indices)) > 0


def _suggest(block, wanted):
    """(map of the block, [(buffer, map)]) for a block, or None."""
    if len(block.writes) != 1 or any(v.iter_type not in (IterVar.DataPar, IterVar.CommReduce) for v in block.iter_vars):
        return None
    output = block.writes[0].buffer
    order = [iter_var.var for iter_var in block.iter_vars]
    accesses = _accesses(block, {v.var: v.dom for v in block.iter_vars if v.iter_type == IterVar.DataPar})
    index_map = next((m for buffer, m in wanted if buffer.same_as(output)), None)
    source = next((layout for buffer, layout in accesses or [] if buffer.same_as(output)), None)
    if index_map is None or not source or any(label is None for label in source) or not _in_order(source, order):
        return None
    whole = _carry(index_map, source, order)
    if whole is None or not _is_bijective(whole, block):
        return None
    inputs = []
    for region in block.reads:
        layout = next((layout for buffer, layout in accesses if buffer.same_as(region.buffer)), None)
        known = any(buffer.same_as(region.buffer) for buffer, _ in wanted)
        carried = _carry(index_map, source, layout) if layout and _in_order(layout, order) and not known else None
        if carried is not None:
            inputs.append((region.buffer, carried))
    return whole, inputs


def suggest_layout_transforms(func, write_buffer_transforms):
    """For each block that can follow: the map of its iterators, and of the buffers that it reads and writes."""
    maps = [IndexMap.from_func(m) if callable(m) else m for m in write_buffer_transforms]
    assert all(isinstance(m, IndexMap) for m in maps), "a layout is an IndexMap or a function over indices"
    assert isinstance(func, PrimFunc), "a function of TensorIR is expected"
    if not maps:
        return {}
    if len(maps) > len(func.params):
        raise TVMError("Incompatible PrimFunc and write_transformations: there are more maps than parameters")
    wanted = []
    for param, index_map in zip(list(func.params)[len(func.params) - len(maps):], maps):
        buffer = func.buffer_map[param]
        if len(buffer.shape) != len(index_map.initial_indices):
            raise TVMError(f"Mismatch between output buffer shape and index map: {buffer.name} has {len(buffer.shape)} dimensions")
        wanted.append((buffer, index_map))
    result = {}

    def enter(node):
        if not isinstance(node, Block) or node.name_hint == "root":
            return True
        found = _suggest(node, wanted)
        if found is not None:
            whole, inputs = found
            output = node.writes[0].buffer
            wanted.extend(inputs)
            result[node] = {node: whole, output: next(m for buffer, m in wanted if buffer.same_as(output)), **dict(inputs)}
        return False

    _core.walk(func.body, enter, None)
    return result
