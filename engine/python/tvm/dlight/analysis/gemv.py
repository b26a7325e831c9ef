"""Which blocks are products of a matrix and a vector, and the loops of such a block in the order of its matrix."""
from ...tir import IntImm
from .access import detect_dominant_read, factor_of, has, iter_splits, region_variables, variables_of


def is_broadcast_epilogue(sch, block, epilogue):
    """Does the epilogue use a value of the block for several of its own?"""
    written = [region.buffer for region in sch.get(block).writes]
    after = sch.get(epilogue)
    free = [one.var for one in after.iter_vars if not (isinstance(one.dom.extent, IntImm) and int(one.dom.extent) == 1)]
    for region in after.reads:
        if not any(region.buffer.same_as(one) for one in written):
            continue
        used = region_variables(after, region)
        if any(not has(used, var) for var in free):
            return True
    return False


def _sums_by_adding(block):
    """Is the block's statement `C[...] = C[...] + value`?"""
    body = block.body
    from ...tir import BufferStore
    from ...tir.expr import Add, BufferLoad
    if not isinstance(body, BufferStore) or not isinstance(body.value, Add):
        return False
    old = body.value.a
    return isinstance(old, BufferLoad) and old.buffer.same_as(body.buffer) and len(old.indices) == len(body.indices)


def is_gemv(sch, block_info):
    """The buffers that are the block's vectors where it is the product of a matrix and a vector; None where it is not."""
    block = sch.get(block_info.block_rv)
    if not block_info.is_reduction() or len(block.reads) < 2 or len(block.writes) != 1 or not _sums_by_adding(block):
        return None
    if not region_variables(block, block.writes[0]):
        return None
    iters = [one.var for one in block.iter_vars]
    used = [region_variables(block, region) for region in block.reads]
    if not any(len(one) == len(iters) for one in used):
        return None
    vectors = [region.buffer for region, one in zip(block.reads, used) if 0 < len(one) < len(iters)]
    return vectors if 0 < len(vectors) < len(block.reads) else None


def normalize(sch, block_info):
    """Puts the block's loops in the order batch, data, reduction, parts: one of each kind. Is the innermost of the matrix reduced?

    Batch is what the vector depends on too; parts are what several of share an element of the matrix (packed weights).
    None, with nothing promised of the schedule, where the matrix is not addressed by a sum of the iterators.
    """
    block = sch.get(block_info.block_rv)
    splits = iter_splits(block, detect_dominant_read(block))
    if not splits or any(factor_of(one) is None for one in splits):
        return None
    smallest = None
    for region in block.reads:
        if not region_variables(block, region):
            continue
        if smallest is None or len(region_variables(block, region)) < len(smallest):
            smallest = region_variables(block, region)
    infos = list(block_info.iters)
    batch, data, reduction, parts = [], [], [], []
    inner = False
    for split in splits:
        info = next((one for one in infos if one.var.same_as(split.var)), None)
        if info is None:
            return None
        infos.remove(info)
        loop, inner = info.loop_rv, info.kind == "R"
        if factor_of(split) > 1:
            if parts:
                return None
            loop, part = sch.split(loop, [None, factor_of(split)])
            parts.append(part)
        if inner:
            reduction.append(loop)
        elif has(smallest or [], split.var):
            batch.append(loop)
        else:
            data.append(loop)
    if any(one.kind != "S" or one.dom != 1 for one in infos):
        return None
    batch += [one.loop_rv for one in infos]
    if not data or not reduction:
        return None
    if not parts:
        parts.append(sch.add_unit_loop(block_info.block_rv))
    if not batch:
        batch.append(sch.add_unit_loop(block_info.block_rv))
    sch.reorder(*batch, *data, *reduction, *parts)
    sch.fuse(*batch)
    sch.fuse(*data)
    sch.fuse(*reduction)
    return inner
