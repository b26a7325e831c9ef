"""ExtractPrimFuncConstants: arrays in functions become attributes of the module, equal ones once.

mod.attrs["constants"] holds the arrays; an allocation of one says its number as the annotation irmod_storage_idx."""
import _loopscope as _core

from ...ir import transform as _transform
from .each import with_body


def _number(arrays, data):
    import numpy

    found = data.numpy()
    for i, known in enumerate(arrays):
        other = known.numpy()
        if other.dtype == found.dtype and other.shape == found.shape and numpy.array_equal(other, found):
            return i
    arrays.append(data)
    return len(arrays) - 1


def _extract(func, arrays):
    def leave(node):
        from ..stmt import AllocateConst

        notes = dict(node.annotations or {})
        notes["irmod_storage_idx"] = _number(arrays, node.data)
        return AllocateConst(node.buffer_var, node.dtype, node.extents, node.data, node.body, notes)

    return with_body(func, _core.transform(func.body, None, leave, ["AllocateConst"]))


def ExtractPrimFuncConstants():
    """Keeps the constant arrays of functions as an attribute of the module."""
    def run(mod, ctx):
        from ..function import PrimFunc

        arrays = list((mod.attrs or {}).get("constants") or [])
        result = mod.clone()
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc):
                result[var] = _extract(func, arrays)
        return result.with_attr("constants", arrays) if arrays else mod

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.ExtractPrimFuncConstants"))
