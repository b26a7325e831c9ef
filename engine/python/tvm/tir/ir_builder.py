"""Building statements by hand: a builder with scopes, pointers that are indexed like arrays.

Statements are gathered in a stack of lists; a `with` pushes one and wraps what it gathered.  What is declared without a
`with` (an allocation, an attribute) stands around the rest of its scope."""
from ..ir import PointerType, PrimType
from . import expr as _expr
from . import op as _op
from . import stmt as _stmt
from .buffer import Buffer, decl_buffer


class WithScope:
    """What `with` enters, and what happens at its end."""

    def __init__(self, enter_value, exit_cb):
        self._enter_value = enter_value
        self._exit_cb = exit_cb

    def __enter__(self):
        return self._enter_value

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self._exit_cb()


class BufferVar:
    """A pointer with elements: b[i] reads, b[i] = v writes."""

    def __init__(self, builder, buffer, content_type):
        self._builder = builder
        self._buffer = buffer
        self._content_type = content_type

    def asobject(self):
        """The buffer."""
        return self._buffer

    @property
    def dtype(self):
        """What the elements are."""
        return self._content_type

    def _places(self, index):
        indices = list(index) if isinstance(index, (tuple, list)) else [index]
        if len(indices) != len(self._buffer.shape):
            if len(indices) != 1:
                raise ValueError(f"{self._buffer.name} has {len(self._buffer.shape)} axes, it is accessed with {len(indices)} indices")
            flat, indices = indices[0], []
            for extent in reversed(self._buffer.shape[1:]):
                indices.insert(0, _op.indexmod(flat, extent))
                flat = _op.indexdiv(flat, extent)
            indices.insert(0, flat)
        return indices

    __iter__ = None             # an index is looked at when the program runs: to go through them would never end

    def __getitem__(self, index):
        return _expr.BufferLoad(self._buffer, self._places(index))

    def __setitem__(self, index, value):
        value = _op.const(value, self._content_type) if isinstance(value, (int, float)) else value
        self._builder.emit(_stmt.BufferStore(self._buffer, value, self._places(index)))


class IRBuilder:
    """Gathers statements."""

    def __init__(self):
        self._scopes = [[]]
        self._branches = [None]

    def _pop(self):
        parts = self._scopes.pop()
        self._branches.pop()
        body = None
        for part in reversed(parts):
            if callable(part):
                body = part(body if body is not None else _stmt.Evaluate(_op.const(0, "int32")))
            else:
                body = part if body is None else _stmt.stmt_seq(part, body)
        return body if body is not None else _stmt.Evaluate(_op.const(0, "int32"))

    def _push(self):
        self._scopes.append([])
        self._branches.append(None)

    def emit(self, stmt):
        """Adds a statement, an expression that is evaluated, or a function from what follows to a statement around it."""
        self._branches[-1] = None
        self._scopes[-1].append(_stmt.Evaluate(stmt) if not callable(stmt) and not isinstance(stmt, _stmt.Stmt) else stmt)

    def _scope(self, value, wrap):
        self._push()
        return WithScope(value, lambda: self.emit(wrap(self._pop())))

    def scope_attr(self, node, attr_key, value):
        """An attribute around the rest of the scope."""
        value = _expr.StringImm(value) if isinstance(value, str) else _op.const(value, "int32") if isinstance(value, int) else value
        node = _expr.StringImm(node) if isinstance(node, str) else node.asobject() if isinstance(node, BufferVar) else node
        self.emit(lambda body: _stmt.AttrStmt(node, attr_key, value, body))

    def for_range(self, begin, end, name="i", dtype=None, kind="serial"):
        """A loop; `with` gives its variable."""
        if dtype is None:
            dtype = next((e.dtype for e in (begin, end) if hasattr(e, "dtype")), "int32")
        begin, end = (_op.const(e, dtype) if isinstance(e, int) else e for e in (begin, end))
        var = _expr.Var(name, dtype)
        extent = end if _is_zero(begin) else _simplified(end - begin)
        kinds = {"serial": _stmt.ForKind.SERIAL, "parallel": _stmt.ForKind.PARALLEL, "vectorize": _stmt.ForKind.VECTORIZED,
                 "unroll": _stmt.ForKind.UNROLLED}
        if kind not in kinds:
            raise ValueError(f"Unknown kind of loop {kind}")
        return self._scope(var, lambda body: _stmt.For(var, begin, extent, kinds[kind], body))

    def while_loop(self, condition):
        """A loop while a condition holds."""
        return self._scope(None, lambda body: _stmt.While(condition, body))

    def if_scope(self, cond):
        """What happens where a condition holds."""
        self._push()

        def leave():
            body = self._pop()
            self.emit(_stmt.IfThenElse(cond, body, None))
            self._branches[-1] = len(self._scopes[-1]) - 1

        return WithScope(None, leave)

    def else_scope(self):
        """What happens where the condition right above does not hold."""
        at = self._branches[-1]
        if at is None:
            raise RuntimeError("else_scope can only follow an if_scope")
        self._push()

        def leave():
            body = self._pop()
            branch = self._scopes[-1][at]
            self._scopes[-1][at] = _stmt.IfThenElse(branch.condition, branch.then_case, body)
            self._branches[-1] = None

        return WithScope(None, leave)

    def new_scope(self):
        """A scope of its own for what is declared inside."""
        return self._scope(None, lambda body: body)

    def let(self, var_name, value):
        """A variable with a value around the rest of the scope."""
        var = _expr.Var(var_name, value.dtype)
        self.emit(lambda body: _stmt.LetStmt(var, value, body))
        return var

    def allocate(self, dtype, shape, name="buf", axis_separators=None, scope=""):
        """Memory for the rest of the scope."""
        shape = list(shape) if isinstance(shape, (list, tuple)) or hasattr(shape, "__len__") else [shape]
        var = _expr.Var(name, PointerType(PrimType(dtype), scope))
        buffer = decl_buffer(shape, dtype, name, data=var, scope=scope, axis_separators=axis_separators)
        self.emit(lambda body: _stmt.Allocate(var, dtype, buffer.shape, _op.const(True, "bool"), body))
        return BufferVar(self, buffer, dtype)

    def pointer(self, content_type, name="ptr", scope=""):
        """A pointer from outside."""
        return BufferVar(self, decl_buffer([1], content_type, name, scope=scope), content_type)

    def buffer_ptr(self, buf):
        """A buffer that is indexed."""
        if not isinstance(buf, Buffer):
            raise TypeError("buffer_ptr wants a Buffer")
        return BufferVar(self, buf, buf.dtype)

    def likely(self, expr):
        """A condition that mostly holds."""
        return _op.likely(expr)

    def get(self):
        """The statement that was built."""
        body = self._pop()
        if self._scopes:
            raise RuntimeError("a scope was not left: get stands outside of every `with`")
        return body


def _is_zero(value):
    return getattr(value, "value", None) == 0


def _simplified(value):
    from ..arith import Analyzer

    return Analyzer().simplify(value)


def create():
    """A new builder."""
    return IRBuilder()
