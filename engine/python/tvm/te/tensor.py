"""Tensors and the operations that make them."""
import _loopscope as _core

from ..runtime.object import Object, register
from ..runtime.object_generic import ObjectGeneric
from ..tir import expr as _expr
from ..tir.buffer import DataProducer


def _topi(name):
    def call(self, other):
        from .. import topi

        return getattr(topi, name)(self, other)

    return call


def _topi_reversed(name):
    def call(self, other):
        from .. import topi

        return getattr(topi, name)(other, self)

    return call


class TensorSlice(ObjectGeneric, _expr.ExprOp):
    """A tensor with some of its indices."""

    __iter__ = None             # any index is one: to go through them would never end

    def __init__(self, tensor, indices):
        self.tensor = tensor
        self.indices = indices if isinstance(indices, tuple) else (indices,)

    def __getitem__(self, indices):
        return TensorSlice(self.tensor, self.indices + (indices if isinstance(indices, tuple) else (indices,)))

    def asobject(self):
        """The element."""
        return self.tensor(*self.indices)

    @property
    def dtype(self):
        """The type of the elements."""
        return self.tensor.dtype


@register("TeTensor")
class Tensor(DataProducer, _expr.ExprOp):
    """An output of an operation."""

    __slots__ = ()
    __te_tensor__ = True
    __iter__ = None             # as for a slice

    def __call__(self, *indices):
        if len(indices) != self.ndim:
            raise ValueError(f"Need to provide {self.ndim} index in tensor but {len(indices)} was provided")
        return _core.te_load(self, [x.var if isinstance(x, _expr.IterVar) else x for x in indices])

    def __getitem__(self, indices):
        return TensorSlice(self, indices)

    def __hash__(self):
        return hash((_core.address(self.op), self.value_index))

    def __eq__(self, other):
        if not isinstance(other, Tensor):
            return _expr.EqualOp(self, other) if isinstance(other, _expr.ExprOp) else False
        if self.ndim == 0 and other.ndim == 0:
            raise ValueError("Equal == comparison among rank-0 tensor is ambiguous, use Tensor.equal for content expression equvalence, use "
                             "Tensor.same_as for exact reference comparison")
        return _core.te_same(self, other)

    def __ne__(self, other):
        return not self == other

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    @property
    def axis(self):
        """The axes of the operation."""
        return self.op.axis

    @property
    def name(self):
        """The name of the stage; with the number of the output if it has several."""
        op = self.op
        return op.name if op.num_outputs == 1 else f"{op.name}.v{self.value_index}"

    def asobject(self):
        """The element of a tensor without dimensions."""
        return self()

    __add__, __radd__ = _topi("add"), _topi_reversed("add")
    __sub__, __rsub__ = _topi("subtract"), _topi_reversed("subtract")
    __mul__, __rmul__ = _topi("multiply"), _topi_reversed("multiply")
    __truediv__, __rtruediv__ = _topi("divide"), _topi_reversed("divide")
    __div__, __rdiv__ = __truediv__, __rtruediv__
    __floordiv__, __mod__ = _topi("floor_divide"), _topi("mod")
    __lt__, __le__, __gt__, __ge__ = _topi("less"), _topi("less_equal"), _topi("greater"), _topi("greater_equal")

    def __neg__(self):
        from .. import topi

        return topi.negative(self)

    def astype(self, dtype, span=None):
        """The same numbers as another type."""
        from .. import topi

        return topi.cast(self, dtype)

    def equal(self, other, span=None):
        """Element by element."""
        from .. import topi

        return topi.equal(self, other)

    def __repr__(self):
        return f"Tensor(shape={self.shape}, op.name={self.op.name})"


@register("TeOperation")
class Operation(Object):
    """A stage."""

    __slots__ = ()

    def __new__(cls, *unused):
        raise TypeError("stages are made by te.placeholder, te.compute and te.extern")

    @property
    def num_outputs(self):
        """How many tensors it gives."""
        return _core.te_n_outputs(self)

    @property
    def input_tensors(self):
        """What it reads."""
        return _core.items(_core.te_inputs(self))

    @property
    def input_placeholders(self):
        """The buffers that stand for the inputs in the statement of te.extern."""
        return _core.items(_core.field(self, "input_buffers"))

    @property
    def output_placeholders(self):
        """The buffers that stand for the outputs in the statement of te.extern."""
        return _core.items(_core.field(self, "output_buffers"))

    def _of_scan(self, part):
        """The tensors that a scan was made of: where its rows begin, how they go on, what stands for them."""
        if _SCAN not in self.attrs:
            raise AttributeError(f"{self.name} is no scan")
        count = int(self.attrs[_SCAN])
        return self.input_tensors[part * count:(part + 1) * count]

    @property
    def init(self):
        """Of a scan: the first rows."""
        return self._of_scan(0)

    @property
    def update(self):
        """Of a scan: a row from those before."""
        return self._of_scan(1)

    @property
    def state_placeholder(self):
        """Of a scan: what stands for the rows before."""
        return self._of_scan(2)

    @property
    def scan_axis(self):
        """Of a scan: the axis along which it goes on."""
        self._of_scan(0)
        return self.attrs[SCAN_AXIS]

    def output(self, index):
        """A tensor of it."""
        return _core.te_output(self, index)

    def __repr__(self):
        kind = ("placeholder", "compute", "extern")[self.stage]
        return f"{kind}({self.name}, {hex(_core.address(self))})"


# The attribute of a stage that stands for a scan: its update is carried out step by step, which no function can say yet.
_SCAN = "scan"
SCAN_AXIS = "scan_axis"


class _StageType(type):
    """isinstance by the kind of stage."""

    scans = False

    def __instancecheck__(cls, value):
        return isinstance(value, Operation) and value.stage in cls.stages and (_SCAN in value.attrs) == cls.scans


class PlaceholderOp(metaclass=_StageType):
    """A parameter."""

    stages = (0,)


class BaseComputeOp(metaclass=_StageType):
    """A computation."""

    stages = (1,)


class ComputeOp(metaclass=_StageType):
    """A computation by an expression."""

    stages = (1,)


class TensorComputeOp(metaclass=_StageType):
    """Not made here."""

    stages = ()


class ExternOp(metaclass=_StageType):
    """A computation by a statement."""

    stages = (2,)


class ScanOp(metaclass=_StageType):
    """A computation whose steps use what the steps before gave."""

    stages, scans = (2,), True
