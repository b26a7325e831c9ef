"""T of the builder: the same names as in scripts, called while the program runs."""
from ... import tir as _tir
from ...tir import op as _op
from .base import IRBuilder, IRBuilderFrame


def _add(stmt):
    IRBuilder.current().add(stmt)


def _body(stmts):
    return stmts[0] if len(stmts) == 1 else _tir.SeqStmt(stmts) if stmts else _tir.Evaluate(0)


class _Around(IRBuilderFrame):
    """Statements, and a function that puts something around them."""

    def __init__(self, wrap, value=None):
        super().__init__()
        self._wrap, self._value = wrap, value

    def value(self):
        return self._value

    def close(self, builder):
        builder.add(self._wrap(_body(self.stmts)))


class _Loops(_Around):
    """One loop or several."""

    def __init__(self, kinds, ranges, annotations=None, thread=None):
        self.vars = [_tir.Var("v", getattr(stop, "dtype", "int32")) for _, stop in ranges]
        self.ranges = list(ranges)

        def wrap(body):
            from ...arith import Analyzer

            for var, kind, (start, stop) in reversed(list(zip(self.vars, kinds, ranges))):
                extent = stop - start if not isinstance(start, int) or start != 0 else stop
                extent = extent if isinstance(extent, int) else Analyzer().simplify(extent)
                binding = _tir.IterVar(None, _tir.Var("iter", "int32"), 1, thread) if thread else None
                body = _tir.For(var, start, extent, kind, body, binding, annotations or {})
            return body

        super().__init__(wrap, self.vars[0] if len(self.vars) == 1 else self.vars)


def _interval(start, stop):
    """Both ends of a loop; one that has only its extent begins with zero of the same type."""
    if stop is not None:
        return start, stop
    return _tir.const(0, getattr(start, "dtype", "int32")), start


def _loop(kind):
    def make(start, stop=None, *, annotations=None, thread=None):
        return _Loops([kind], [_interval(start, stop)], annotations, thread)

    return make


serial = _loop(_tir.ForKind.SERIAL)
parallel = _loop(_tir.ForKind.PARALLEL)
vectorized = _loop(_tir.ForKind.VECTORIZED)
unroll = _loop(_tir.ForKind.UNROLLED)


def thread_binding(start, stop=None, thread=None, *, annotations=None):
    """A loop over threads."""
    if thread is None:
        stop, thread = None, stop
    return _Loops([_tir.ForKind.THREAD_BINDING], [_interval(start, stop)], annotations, thread)


def grid(*extents):
    """Loops in each other."""
    frame = _Loops([_tir.ForKind.SERIAL] * len(extents), [(0, x) for x in extents])
    frame._value = frame.vars
    return frame


class PrimFuncFrame(IRBuilderFrame):
    """A function."""

    def __init__(self, is_private=False):
        super().__init__()
        self.private, self.name, self.params, self.buffers, self.attrs, self.ret, self.root = is_private, None, [], {}, {}, None, []
        self.threads = {}

    def close(self, builder):
        import _loopscope as _core

        func = _tir.PrimFunc(self.params, _body(self.stmts), self.ret, self.buffers)
        func = _core.complete(func, self.root)
        attrs = dict(self.attrs)
        if self.name is not None and not self.private:
            attrs.setdefault("global_symbol", self.name)
        if attrs:
            func = func.with_attr(attrs)
        builder.add(func)


def _core_kind(node):
    import _loopscope as _core

    return _core.kind(node)


def prim_func(is_private=False):
    """A function."""
    return PrimFuncFrame(is_private)


def _func():
    frame = IRBuilder.current().find(PrimFuncFrame)
    if frame is None:
        raise ValueError("there is no function around")
    return frame


def func_name(name):
    """Its name."""
    _func().name = name


def func_ret(ret_type):
    """The type of its result."""
    from ...ir import PrimType, Type

    if not isinstance(ret_type, Type):
        ret_type = PrimType(getattr(ret_type, "dtype", None) or getattr(ret_type, "_dtype", None) or str(ret_type))
    _func().ret = ret_type


def func_attr(attrs):
    """Its attributes."""
    _func().attrs.update(attrs)


def arg(name, obj):
    """A parameter: a variable, or a buffer behind a pointer."""
    frame = _func()
    if _core_kind(obj) == "Buffer":
        IRBuilder.name(name, obj)
        handle_ = _tir.Var(name + "_handle", "handle")
        frame.params.append(handle_)
        frame.buffers[handle_] = obj
        return obj
    IRBuilder.name(name, obj)
    frame.params.append(obj)
    return obj


def buffer(shape, dtype="float32", data=None, strides=None, elem_offset=None, scope="global", align=0, offset_factor=0, buffer_type="", axis_separators=None):
    """A buffer."""
    shape = (shape,) if not isinstance(shape, (list, tuple)) else shape
    return _tir.decl_buffer(shape, dtype, "buffer", data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators)


Buffer = buffer


def match_buffer(param, shape=None, dtype="float32", *args, **kwargs):
    """A buffer behind a parameter, or over a part of another one."""
    kind = _core_kind(param)
    if kind in ("BufferRegion", "BufferLoad"):
        region = param if kind == "BufferRegion" else _tir.BufferRegion(param.buffer, [_point(x) for x in param.indices])
        shape = shape if shape is not None else [r.extent for r in region.region]
        result = buffer(shape, dtype or region.buffer.dtype, *args, **kwargs)
        IRBuilder.current().find(BlockFrame).matches.append(_tir.MatchBufferRegion(result, region))
        return result
    result = buffer(shape, dtype, *args, **kwargs)
    _func().buffers[param] = result
    return result


def _point(index):
    from ...ir import Range

    return index if _core_kind(index) == "Range" else Range.from_min_extent(index, 1)


class BlockFrame(IRBuilderFrame):
    """A block."""

    def __init__(self, name, no_realize):
        super().__init__()
        self.name, self.no_realize = name, no_realize
        self.iters, self.values, self.predicate, self.matches, self.allocs, self.notes = [], [], None, [], [], {}
        self.read_regions = self.write_regions = self.init_stmt = None

    def close(self, builder):
        found = (self.read_regions is None) | (self.write_regions is None) << 1
        if found:
            self.notes["tir.script_parsing_detect_access"] = _tir.IntImm("int64", found)
        block = _tir.Block(self.iters, self.read_regions or [], self.write_regions or [], self.name, _body(self.stmts), self.init_stmt, self.allocs,
                           self.matches, self.notes)
        builder.add(block if self.no_realize else _tir.BlockRealize(self.values, True if self.predicate is None else self.predicate, block))


def block(name="", no_realize=False):
    """A block."""
    return BlockFrame(name, no_realize)


def _block():
    frame = IRBuilder.current().find(BlockFrame)
    if frame is None:
        raise ValueError("there is no block around")
    return frame


def where(predicate):
    """When it runs."""
    _block().predicate = predicate if not isinstance(predicate, (bool, int)) else _op.const(bool(predicate), "bool")


def _regions(args):
    values = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    return [x if _core_kind(x) == "BufferRegion" else _tir.BufferRegion(x.buffer, [_point(i) for i in x.indices]) for x in values]


def reads(*slices):
    """What it reads."""
    _block().read_regions = _regions(slices)


def writes(*slices):
    """What it writes."""
    _block().write_regions = _regions(slices)


def block_attr(attrs):
    """Its annotations."""
    _block().notes.update(attrs)


def init():
    """What happens before the reduction."""
    frame = _Around(None)
    around = _block()
    frame.close = lambda builder: setattr(around, "init_stmt", _body(frame.stmts))
    return frame


def alloc_buffer(shape, dtype="float32", *args, **kwargs):
    """A buffer of the block, or of the function."""
    result = buffer(shape, dtype, *args, **kwargs)
    frame = IRBuilder.current().find(BlockFrame)
    (frame.allocs if frame is not None else _func().root).append(result)
    return result


class axis:  # noqa: N801
    """Iterators of blocks."""

    @staticmethod
    def _one(dom, binding, kind, dtype):
        from ...ir import Range

        if isinstance(dom, (list, tuple)):
            dom = Range(dom[0], dom[1])
        elif isinstance(dom, int) or _core_kind(dom) != "Range":
            dom = Range(0, dom)
        wide = "int64" in (str(dom.min.dtype), str(dom.extent.dtype), str(dtype))
        dtype = "int64" if wide else dtype
        var = _tir.Var("v", dtype)
        frame = _block()
        frame.iters.append(_tir.IterVar(dom, var, kind))
        if binding is not None:
            frame.values.append(binding)
        return var

    @staticmethod
    def spatial(dom, binding, dtype="int32"):
        """One that is independent."""
        return axis._one(dom, binding, _tir.IterVar.DataPar, dtype)

    @staticmethod
    def reduce(dom, binding, dtype="int32"):
        """One that is summed over."""
        return axis._one(dom, binding, _tir.IterVar.CommReduce, dtype)

    @staticmethod
    def scan(dom, binding, dtype="int32"):
        """One in order."""
        return axis._one(dom, binding, _tir.IterVar.Ordered, dtype)

    @staticmethod
    def opaque(dom, binding, dtype="int32"):
        """One of which nothing is known."""
        return axis._one(dom, binding, _tir.IterVar.DimInfo, dtype)

    @staticmethod
    def remap(kinds, bindings, dtype="int32"):
        """Several that are loops themselves."""
        loops = {}
        for frame in IRBuilder.current().frames:
            if isinstance(frame, _Loops):
                for var, (start, stop) in zip(frame.vars, frame.ranges if hasattr(frame, "ranges") else []):
                    loops[var] = (start, stop)
        result = [axis._one(next((v for k, v in loops.items() if k.same_as(x)), (0, 1)), x,
                            _tir.IterVar.DataPar if kind == "S" else _tir.IterVar.CommReduce, dtype) for kind, x in zip(kinds, bindings)]
        return result[0] if len(result) == 1 else result

    S = spatial
    R = reduce


def evaluate(value):
    """A statement of a value."""
    _add(_tir.Evaluate(value if not isinstance(value, str) else _tir.StringImm(value)))


def buffer_store(buffer, value, indices, predicate=None):  # noqa: A002
    """A store."""
    if isinstance(value, (bool, int, float)):
        value = _op.const(value, buffer.dtype)
    elif isinstance(value, _tir.PrimExpr) and "x" not in value.dtype and value.dtype != buffer.dtype:
        value = value.astype(buffer.dtype)
    _add(_tir.BufferStore(buffer, value, list(indices), predicate))


def attr(node, attr_key, value):
    """An attribute around statements."""
    node = _tir.StringImm(node) if isinstance(node, str) else node
    return _Around(lambda body: _tir.AttrStmt(node, attr_key, value if not isinstance(value, str) else _tir.StringImm(value), body))


def Assert(condition, message):  # noqa: N802
    """A condition that has to hold."""
    condition = _op.const(condition, "bool") if isinstance(condition, bool) else condition
    return _Around(lambda body: _tir.AssertStmt(condition, _tir.StringImm(message) if isinstance(message, str) else message, body))


def LetStmt(value, type_annotation=None, *, var=None):  # noqa: N802
    """A name for a value."""
    value = _op.const(value) if isinstance(value, (bool, int, float)) else value
    name = var if var is not None else _tir.Var("v", type_annotation if type_annotation is not None else value.dtype)
    return _Around(lambda body: _tir.LetStmt(name, value, body), name)


def allocate(extents, dtype="float32", scope="global", condition=None, annotations=None):
    """Memory for statements."""
    from ...ir import PointerType, PrimType

    data = _tir.Var("v", PointerType(PrimType(dtype), scope))
    condition = _op.const(True, "bool") if condition is None else condition
    return _Around(lambda body: _tir.Allocate(data, dtype, extents, condition, body, annotations or {}), data)


def allocate_const(data, dtype, extents, annotations=None):
    """Memory with constants for statements."""
    import numpy as np

    from ...ir import PointerType, PrimType
    from ...runtime.ndarray import array

    var = _tir.Var("v", PointerType(PrimType(dtype)))
    values = data if hasattr(data, "_copy_from") else array(np.asarray(data, dtype))
    return _Around(lambda body: _tir.AllocateConst(var, dtype, extents, values, body, annotations or {}), var)


def realize(buffer_slice, storage_scope, condition=True):
    """A part of a buffer that is made real."""
    region = buffer_slice if _core_kind(buffer_slice) == "BufferRegion" else _regions([buffer_slice])[0]
    made = region.buffer

    def wrap(body):
        body = _tir.BufferRealize(made, list(region.region), condition, body)
        return _tir.AttrStmt(made, "realize_scope", _tir.StringImm(storage_scope), body)

    return _Around(wrap)


def env_thread(thread_tag, dtype="int32"):
    """A thread of the device, launched later."""
    var = _tir.Var("v", dtype)
    _func().threads[var] = _tir.IterVar(None, var, _tir.IterVar.ThreadIndex, thread_tag)
    return var


def launch_thread(thread, extent):
    """Runs statements in all threads of an axis; gives its variable."""
    from ...ir import Range

    var = env_thread(thread, getattr(extent, "dtype", "int32")) if isinstance(thread, str) else thread
    known = next((v for k, v in _func().threads.items() if k.same_as(var)), None)
    if known is None:
        raise ValueError(f"{var} is no thread of this function")
    iter_var = _tir.IterVar(Range.from_min_extent(0, extent), var, _tir.IterVar.ThreadIndex, known.thread_tag)
    key = "virtual_thread" if known.thread_tag.startswith("vthread") or known.thread_tag == "cthread" else "thread_extent"
    return _Around(lambda body: _tir.AttrStmt(iter_var, key, extent, body), var)


def decl_buffer(shape, dtype="float32", data=None, *args, **kwargs):
    """A buffer over memory."""
    result = buffer(shape, dtype, data, *args, **kwargs)
    if data is None:
        return _Around(lambda body: _tir.Allocate(result.data, dtype, list(result.shape), _op.const(True, "bool"), _tir.DeclBuffer(result, body)), result)
    return _Around(lambda body: _tir.DeclBuffer(result, body), result)


def While(condition):  # noqa: N802
    """A loop with a condition."""
    return _Around(lambda body: _tir.While(condition, body))


class _If(IRBuilderFrame):
    def __init__(self, condition):
        super().__init__()
        self.condition, self.branches = condition, {}

    def close(self, builder):
        if "then" not in self.branches:
            raise ValueError("an If has a Then")
        builder.add(_tir.IfThenElse(self.condition, self.branches["then"], self.branches.get("else")))


def If(condition):  # noqa: N802
    """A choice."""
    return _If(condition)


def _branch(name):
    def make():
        around = IRBuilder.current().find(_If)
        frame = _Around(None)
        frame.close = lambda builder: around.branches.__setitem__(name, _body(frame.stmts))
        return frame

    return make


Then, Else = _branch("then"), _branch("else")


def ptr(dtype, storage_scope="global", is_size_var=False):
    """A pointer."""
    from ...ir import PointerType, PrimType

    return _tir.Var("v", PointerType(PrimType(dtype), storage_scope))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from .. import tir as script

    return getattr(script, name)
