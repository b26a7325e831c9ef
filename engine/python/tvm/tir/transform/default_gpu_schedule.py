"""DefaultGPUSchedule: every block of a function that is not scheduled yet is spread over the threads of the target.

The spatial loops of a block without blocks inside are fused and cut into blocks and threads; where there are more
elements than 256 blocks of threads hold, the rest is a loop inside.  A block without spatial loops gets a loop of one
round.  Functions for processors stay as they are; all count as scheduled afterwards."""
from ...ir import transform as _transform
from ...ir.module import IRModule
from ..expr import IntImm

_MOST_BLOCKS = 256


def _target_of(func):
    from ...target import Target

    target = (func.attrs or {}).get("target") or Target.current(allow_none=True)
    if target is None:
        raise RuntimeError("DefaultGPUSchedule: the target is missing either in the current context or in the prim_func's attribute")
    return target


def _leaves(sch, block):
    inside = sch.get_child_blocks(block)
    return [leaf for child in inside for leaf in _leaves(sch, child)] if inside else [block]


def _spread(sch, block, threads):
    loops = sch.get_loops(block)
    if any(sch.get(loop).thread_binding is not None for loop in loops):
        return
    spatial = [loop for loop, var in zip(loops, sch.get(block).iter_vars) if int(var.iter_type) == 0]
    if not spatial:
        spatial = [sch.add_unit_loop(loops[0] if loops else block)]
    fused = sch.fuse(*spatial, preserve_unit_iters=False)
    extent = sch.get(fused).extent
    total = int(extent) if isinstance(extent, (int, IntImm)) else None
    if total is None or total > threads * _MOST_BLOCKS:
        rest, outer, inner = sch.split(fused, [None, _MOST_BLOCKS, threads])
        sch.reorder(outer, inner, rest)
    else:
        outer, inner = sch.split(fused, [None, min(total, threads)])
    sch.bind(outer, "blockIdx.x")
    sch.bind(inner, "threadIdx.x")


def _schedule(func):
    from ..schedule import Schedule

    target = _target_of(func)
    if "gpu" in target.keys:
        sch = Schedule(IRModule({"main": func}))
        for block in _leaves(sch, sch.get_block("root")):
            _spread(sch, block, target.max_num_threads)
        func = sch.mod["main"]
    return func.with_attr("tir.is_scheduled", True)


def DefaultGPUSchedule():
    """Spreads the blocks of functions that are not scheduled over the threads of the target."""
    def run(mod, ctx):
        from ..function import PrimFunc

        result = mod.clone()
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc) and not (func.attrs or {}).get("tir.is_scheduled"):
                result[var] = _schedule(func)
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "DefaultGPUSchedule"))
