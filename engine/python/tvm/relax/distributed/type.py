"""The type of a tensor that lies in parts, as it was before struct info."""
from ..ty import DynTensorType


class DTensorType(DynTensorType):
    """The number of dimensions and the type of a distributed tensor."""

    def __repr__(self):
        return f"DTensorType(ndim={self.ndim}, dtype={self.dtype})"
