"""The trace of one program on another around the same heavy block (the anchor): a convolution with other blocks behind it, say.

    what the trace does not name       is inlined (all but what the anchor needs)
    the trace                          is applied as far as it fits (engine/schedule/trace/anchor.c)
    the one block that is left then    goes into what it reads, or runs in parallel, or is bound to threads

Source: TVM v0.20's ScheduleUsingAnchorTrace.
"""
from ..error import TVMError
from ..tir.analysis import find_anchor_block
from ..tir.schedule.analysis import is_output_block
from ._blocks import is_spatial
from .utils import as_target

_THREADS = [32, 64, 128, 256, 512, 1024]


def _is_gpu(target):
    return target.kind.name in ("cuda", "rocm", "vulkan", "metal", "opencl", "webgpu")


def _inline_rule(target):
    from .schedule_rule import AutoInline, _auto_inline_cpu

    if target.kind.name in ("llvm", "c", "hexagon"):
        return _auto_inline_cpu()
    if _is_gpu(target):
        return AutoInline(True, True, True, False, False, False, [])
    raise TVMError(f"ValueError: there is no rule to inline by for {target.kind.name}")


def _block_names(mod):
    """The names of all blocks, in the order of the program."""
    import _loopscope as _core

    from ..tir import PrimFunc

    names = []
    for func in mod.functions.values():
        if isinstance(func, PrimFunc):
            _core.walk(func.body, lambda node: (names.append(node.name_hint) if _core.kind(node) == "Block" else None, True)[1], None)
    return list(dict.fromkeys(names))


def _needed_by(sch, name):
    """The names of a block and of those that make what it reads."""
    found, left = set(), [sch.get_block(name)]
    while left:
        block = left.pop()
        if sch.get(block).name_hint not in found:
            found.add(sch.get(block).name_hint)
            left += sch.get_producers(block)
    return found


def _inline_others(sch, trace, target):
    named = {str(inst.attrs[0]) for inst in trace.insts if inst.kind.name == "GetBlock"}
    anchor = find_anchor_block(sch.mod)
    kept = named | (_needed_by(sch.copy(), anchor.name_hint) if anchor is not None else set())
    rule, outputs = _inline_rule(target), []
    for name in _block_names(sch.mod):
        if name in kept or name == "root":
            continue
        block = sch.get_block(name)
        if not is_spatial(sch.get(block)):
            continue
        if is_output_block(sch, block):
            outputs.append(block)
        else:
            rule.apply(sch, block)
    for block in outputs:
        rule.apply(sch, block)


def _loop_kinds(sch, name):
    return [sch.get(loop).kind for loop in sch.get_loops(sch.get_block(name))]


def _left_over(sch, before):
    """The blocks whose loops are as they were."""
    now = set(_block_names(sch.mod))
    return [name for name in _block_names(before.mod)
            if name in now and name != "root" and _loop_kinds(sch.copy(), name) == _loop_kinds(before, name)]


def _schedule_last(sch, name, target):
    from .schedule_rule import AutoBind, needed_limit
    from .tune_context import TuneContext

    block = sch.get_block(name)
    producers = sch.get_producers(block)
    if len(producers) == 1 and is_spatial(sch.get(producers[0])):
        sch.reverse_compute_inline(block)
    elif target.kind.name in ("llvm", "c", "hexagon"):
        sch.parallel(sch.fuse(*sch.get_loops(block)))
    elif _is_gpu(target):
        context = TuneContext(target=target)
        rule = AutoBind(256, _THREADS, needed_limit(context, "max_threads_per_block"))
        rule._initialize_with_tune_context(context)
        rule.apply(sch, block)


def schedule_using_anchor_trace(sch, anchor_trace, target):
    """Applies a trace to a schedule of another program that has its anchor block in common with the trace's own."""
    target = as_target(target)
    _inline_others(sch, anchor_trace, target)
    before = sch.copy()
    anchor_trace._impl.apply_anchored(sch)
    left = _left_over(sch, before)
    if len(left) > 1:
        raise TVMError(f"{len(left)} blocks are left without a schedule; one at the most can be scheduled last")
    if left:
        _schedule_last(sch, left[0], target)
