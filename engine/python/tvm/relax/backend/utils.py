"""What the passes of backends share."""
from ..expr_functor import PyExprMutator
from ..struct_info import TensorStructInfo, TupleStructInfo


class BackendDispatcher(PyExprMutator):
    """A mutator that chooses code by target: the one that a value's device says, else the current one."""

    @staticmethod
    def is_gpu_target(target):
        """Are its programs run by threads?"""
        return "gpu" in target.keys

    @staticmethod
    def get_shape_dtype(expr):
        """Shape and dtype of a tensor."""
        sinfo = expr.struct_info
        if not isinstance(sinfo, TensorStructInfo):
            raise ValueError(f"Expecting a expr with TensorStructInfo, but got {expr} with {sinfo}")
        return sinfo.shape, sinfo.dtype

    def _get_target(self, sinfo):
        from ...target import Target

        fields = [sinfo]
        while fields:
            info = fields.pop(0)
            if isinstance(info, TupleStructInfo):
                fields = list(info.fields) + fields
            elif isinstance(info, TensorStructInfo) and info.vdevice is not None:
                device = info.vdevice
                return Target(str(device.target if hasattr(device, "target") else device).split(":")[0])
        target = Target.current()
        if target is None:
            raise ValueError("Target not found. Please ensure that the target is annotated within the module, or alternatively, execute this within a "
                             "specified target context.")
        return target
