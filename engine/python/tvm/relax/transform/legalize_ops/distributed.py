"""Communication between workers as calls of the runtime that TVM calls disco, and a tensor in parts as the part of this worker."""
from .common import register_legalize

_REDUCTIONS = ("sum", "prod", "min", "max", "avg")


def _register(name):
    """A rule for whole tensors: what is still said of tensors in parts waits for LowerDistIR."""
    from ...distributed import DTensorStructInfo

    def decorate(rule):
        return register_legalize(name)(lambda bb, call: call if isinstance(call.args[0].struct_info, DTensorStructInfo) else rule(bb, call))

    return decorate


def _packed(name, args, info):
    from ...expr import PrimValue, Tuple
    from ...op import call_dps_packed
    from ....tir import IntImm

    return call_dps_packed(f"runtime.disco.{name}", Tuple([PrimValue(IntImm("bool", int(x))) if isinstance(x, bool) else x for x in args]), info)


@_register("relax.ccl.allreduce")
def _allreduce(bb, call):
    from ...expr import ShapeExpr

    kind = str(call.attrs["op_type"])
    if kind not in _REDUCTIONS:
        raise ValueError(f"allreduce: workers reduce by one of {', '.join(_REDUCTIONS)}, not {kind!r}")
    return _packed("allreduce", [call.args[0], ShapeExpr([_REDUCTIONS.index(kind)]), bool(call.attrs["in_group"])], call.args[0].struct_info)


@_register("relax.ccl.allgather")
def _allgather(bb, call):
    return _packed("allgather", [call.args[0], bool(call.attrs["in_group"])], call.struct_info)


@_register("relax.ccl.broadcast_from_worker0")
def _broadcast_from_worker0(bb, call):
    return _packed("broadcast_from_worker0", [call.args[0], False], call.args[0].struct_info)


@_register("relax.ccl.scatter_from_worker0")
def _scatter_from_worker0(bb, call):
    """Worker 0 hands out parts that lie one behind the other: an axis inside is brought to the front first."""
    from .... import topi

    data, workers, axis = call.args[0], int(call.attrs["num_workers"]), int(call.attrs["axis"])
    if axis > 0:
        shape, part = list(data.struct_info.shape.values), call.struct_info.shape.values[axis]
        data = bb.emit_te(topi.reshape, data, [*shape[:axis], workers, part, *shape[axis + 1:]])
        data = bb.emit_te(topi.transpose, data, [axis, *range(axis), *range(axis + 1, len(shape) + 1)])
    return _packed("scatter_from_worker0", [data, False], call.struct_info)


@_register("relax.dist.redistribute_replica_to_shard")
def _redistribute_replica_to_shard(bb, call):
    """This worker's part of a tensor that all have: the number of the worker is asked for and becomes a dimension."""
    from .... import te, tir
    from ...op import call_pure_packed
    from ...struct_info import ShapeStructInfo

    data, axis = call.args[0], int(call.attrs["axis"])
    shape = list(data.struct_info.shape.values)
    axis = axis + len(shape) if axis < 0 else axis
    part = call.struct_info.shape.values[axis]
    worker_id = tir.Var("worker_id", "int64")
    number = bb.emit(call_pure_packed("runtime.disco.worker_id", sinfo_args=[ShapeStructInfo()]))
    bb.match_cast(number, ShapeStructInfo([worker_id]))

    def te_R_to_S(tensor, worker_id):
        return te.compute([part if i == axis else extent for i, extent in enumerate(shape)],
                          lambda *index: tensor[(*index[:axis], worker_id * part + index[axis], *index[axis + 1:])], name="redistribute_replica_to_shard")

    return bb.call_te(te_R_to_S, data, worker_id)
