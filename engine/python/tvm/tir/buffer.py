"""Buffers."""
import _loopscope as _core

from ..ir.base import Node
from ..runtime.object import Object, register


class DataProducer(Object):
    """Something whose elements can be read; see te.Tensor."""

    __slots__ = ()


def _region_item(item, extent):
    from ..ir.expr import Range
    from .expr import const

    if isinstance(item, slice):
        start = item.start if item.start is not None else const(0, extent.dtype if hasattr(extent, "dtype") else "int32")
        stop = item.stop if item.stop is not None else extent
        return Range(start, stop)
    return Range.from_min_extent(item, const(1, getattr(item, "dtype", "int32")))


@register("Buffer")
class Buffer(Node):
    """Elements of one type with a shape."""

    __slots__ = ()
    READ = 1
    WRITE = 2

    def scope(self):
        """The storage scope."""
        return _core.buffer_scope(self)

    @property
    def buffer_type(self):
        """1: ordinary, 2: dimensions of extent 1 are broadcast."""
        return _core.field(self, "buffer_type")

    def access_ptr(self, access_mask, ptr_type="handle", content_lanes=1, offset=0, extent=None):
        """A pointer to the elements, for calls of functions outside."""
        from . import expr as _expr

        if isinstance(access_mask, str):
            mask = 0
            for letter in access_mask:
                if letter not in "rw":
                    raise ValueError(f"Unknown access_mask {access_mask}")
                mask |= Buffer.READ if letter == "r" else Buffer.WRITE
            access_mask = mask
        total = None
        if len(self.strides) > 0:
            total = self.strides[0] * self.shape[0]
        else:
            for n in self.shape:
                total = n if total is None else total * n
            total = _expr.const(1, "int32") if total is None else total
        data_offset = self.elem_offset + offset
        if content_lanes > 1:
            total = _core.binary("Div", total, content_lanes)
            data_offset = _core.binary("Div", data_offset, content_lanes)
            dtype = f"{self.dtype}x{content_lanes}"
        else:
            dtype = self.dtype
        extent = total - offset if extent is None else extent
        annotation = _core.call(dtype, "tir.type_annotation", [])
        return _core.call(ptr_type, "tir.tvm_access_ptr", [annotation, self.data, data_offset, extent, access_mask])

    def _place(self, begin, dtype, verb):
        """The indices of a value of this type, which is one element or several that follow one another."""
        from .expr import Ramp
        from ..error import TVMError
        from ..runtime import DataType

        begin = list(begin) if isinstance(begin, (tuple, list)) or hasattr(begin, "__len__") else [begin]
        element, scalable, lanes = str(dtype).partition("xvscalex")
        value, own = DataType(element), DataType(self.dtype)
        lanes = int(lanes) if scalable else value.lanes
        if (value.type_code, value.bits) != (own.type_code, own.bits) or lanes % own.lanes:
            raise TVMError(f"Cannot {verb} {dtype} {'from' if verb == 'load' else 'to'} buffer of {self.dtype}")
        if scalable or lanes > own.lanes:
            from .op import vscale

            steps = lanes // own.lanes
            begin[-1] = Ramp(begin[-1], _core.const(getattr(begin[-1], "dtype", "int32"), 1), vscale() * steps if scalable else steps)
        return begin

    def vload(self, begin, dtype=None, predicate=None):
        """Elements as a vector."""
        from .expr import BufferLoad

        return BufferLoad(self, self._place(begin, dtype or self.dtype, "load"), predicate)

    def vstore(self, begin, value, predicate=None):
        """Stores a vector."""
        from .stmt import BufferStore
        from .expr import convert

        value = convert(value)
        return BufferStore(self, value, self._place(begin, value.dtype, "store"), predicate)

    def offset_of(self, indices):
        """The place of an element in memory, one number for each group of dimensions between axis separators."""
        from .buffer_offset import buffer_offset

        return _core.convert(buffer_offset(self, indices))

    def get_flattened_buffer(self):
        """The same memory with one dimension for each group between axis separators."""
        separators = [int(s) for s in self.axis_separators]
        if len(self.shape) == len(separators) + 1 and not len(self.strides):
            return self
        ends, extents, start = separators + [len(self.shape)], [], 0
        for end in ends:
            total = None
            for n in list(self.shape)[start:end]:
                total = n if total is None else total * n
            extents.append(total if total is not None else 1)
            start = end
        return decl_buffer(extents, self.dtype, self.name, self.data, scope=self.scope(), axis_separators=list(range(1, len(extents))))

    def __getitem__(self, indices):
        from ..arith import Analyzer
        from .expr import BufferLoad, Ramp, convert
        from .stmt import BufferRegion

        if not isinstance(indices, (tuple, list)) and not hasattr(indices, "__len__"):
            indices = [indices]
        indices = list(indices)
        has_slice = any(isinstance(i, slice) for i in indices)
        has_step = any(isinstance(i, slice) and i.step is not None for i in indices)
        if has_slice and not has_step:
            analyzer = Analyzer()
            region = []
            for i, item in enumerate(indices):
                entry = _region_item(item, self.shape[i])
                region.append(type(entry).from_min_extent(analyzer.simplify(entry.min), analyzer.simplify(entry.extent)) if isinstance(item, slice) else entry)
            return BufferRegion(self, region)
        result = []
        for i, item in enumerate(indices):
            if isinstance(item, slice):
                start = item.start if item.start is not None else 0
                stop = item.stop if item.stop is not None else self.shape[i]
                step = item.step if item.step is not None else 1
                lanes = Analyzer().simplify((convert(stop) - start + step - 1) // step)
                result.append(start if int(lanes) == 1 else Ramp(start, step, lanes))
            else:
                result.append(item)
        return BufferLoad(self, result)


def decl_buffer(shape, dtype=None, name="buffer", data=None, strides=None, elem_offset=None, scope="", data_alignment=-1, offset_factor=0, buffer_type="",
                axis_separators=None, span=None):
    """A new buffer."""
    from . import expr as _expr

    if isinstance(shape, (int, _expr.PrimExpr)):
        shape = (shape,)
    dtype = "float32" if dtype is None else str(dtype)
    separators = [int(s) for s in axis_separators or []]
    if any(a > b for a, b in zip(separators, separators[1:])) or any(not 0 <= s <= len(list(shape)) for s in separators):
        raise ValueError(f"the axis separators {separators} stand in order between the {len(list(shape))} dimensions")
    strides = () if strides is None else strides
    if offset_factor != 0 and elem_offset is None:
        first = list(shape)
        index_dtype = first[0].dtype if first and hasattr(first[0], "dtype") else "int32"
        elem_offset = _expr.Var(f"{name}_elem_offset", index_dtype)
    strides = [_expr.Var(s, "int32") if isinstance(s, str) else s for s in strides]
    return _core.buffer(data, dtype, list(shape), strides, elem_offset, name, scope, 64 if data_alignment <= 0 else data_alignment,
                        1 if offset_factor == 0 else offset_factor, 2 if buffer_type in ("auto", "auto_broadcast") else 1, list(axis_separators or []))
