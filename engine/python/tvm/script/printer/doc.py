"""Documents: Python programs as trees.

A class of documents names its fields, each with how a value becomes one; all else (constructor, access, assignment) is
made of that table.  Fields that are sequences are tuples.
"""
from enum import IntEnum, unique


def _expr(value):
    if not isinstance(value, ExprDoc):
        raise TypeError(f"an expression document is expected, not {type(value)}")
    return value


def _optional(value):
    return None if value is None else _expr(value)


def _item(value):
    return value if isinstance(value, SliceDoc) else _expr(value)


def _many(one):
    return lambda values: tuple(one(x) for x in values)


def _stmt(value):
    if not isinstance(value, StmtDoc):
        raise TypeError(f"a statement document is expected, not {type(value)}")
    return value


_exprs, _items, _stmts = _many(_expr), _many(_item), _many(_stmt)


class Doc:
    """What documents have in common: their fields, and the paths to the nodes that they stand for."""

    __slots__ = ("_values", "__dict__")
    _fields = {"source_paths": tuple}

    def _fill(self, **values):
        object.__setattr__(self, "_values", {"source_paths": ()})
        if isinstance(self, StmtDoc):
            self._values["comment"] = None
        for name, value in values.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        try:
            return object.__getattribute__(self, "_values")[name]
        except (KeyError, AttributeError):
            raise AttributeError(f"a {type(self).__name__} has no attribute '{name}'") from None

    def __setattr__(self, name, value):
        for cls in type(self).__mro__:
            if name in getattr(cls, "_fields", {}):
                self._values[name] = cls._fields[name](value)
                return
        raise AttributeError(f"a {type(self).__name__} has no attribute '{name}'")

    def same_as(self, other):
        """Is it the same document?"""
        return self is other

    def __repr__(self):
        from .doc_printer import to_python_script

        return to_python_script(self)


class ExprDoc(Doc):
    """An expression."""

    __slots__ = ()

    def attr(self, name):
        """expr.name"""
        return AttrAccessDoc(self, name)

    def call(self, *args, **kwargs):
        """expr (args, key=value)"""
        return CallDoc(self, *args, **kwargs)

    def __getitem__(self, indices):
        return IndexDoc(self, indices if isinstance(indices, tuple) else (indices,))

    def __iter__(self):
        raise RuntimeError(f"{type(self)} cannot be used as an iterable.")


class StmtDoc(Doc):
    """A statement, which may have a comment."""

    __slots__ = ()
    _fields = {"comment": lambda text: None if text is None else str(text)}


class StmtBlockDoc(Doc):
    """Statements one after another."""

    __slots__ = ()
    _fields = {"stmts": _stmts}

    def __init__(self, stmts):
        self._fill(stmts=stmts)


def _literal(value):
    from ...tir import FloatImm, IntImm

    if isinstance(value, IntImm):
        return bool(int(value)) if value.dtype == "bool" else int(value)
    if isinstance(value, FloatImm):
        return float(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"Unsupported type {type(value)} for LiteralDoc")


class LiteralDoc(ExprDoc):
    """None, a truth value, a number or a text."""

    __slots__ = ()
    _fields = {"value": _literal}

    def __init__(self, value):
        self._fill(value=value)


class IdDoc(ExprDoc):
    """A name."""

    __slots__ = ()
    _fields = {"name": str}

    def __init__(self, name):
        self._fill(name=name)


class AttrAccessDoc(ExprDoc):
    """value.name"""

    __slots__ = ()
    _fields = {"value": _expr, "name": str}

    def __init__(self, value, name):
        self._fill(value=value, name=name)


class IndexDoc(ExprDoc):
    """value[indices]"""

    __slots__ = ()
    _fields = {"value": _expr, "indices": _items}

    def __init__(self, value, indices):
        self._fill(value=value, indices=indices)


class CallDoc(ExprDoc):
    """callee (args, key=value)"""

    __slots__ = ()
    _fields = {"callee": _expr, "args": _exprs, "kwargs_keys": _many(str), "kwargs_values": _exprs}

    def __init__(self, callee, *args, **kwargs):
        self._fill(callee=callee, args=args, kwargs_keys=kwargs, kwargs_values=kwargs.values())


@unique
class OperationKind(IntEnum):
    """Operators; the limits of each group are between them."""

    _UnaryStart = 0
    USub = 1
    Invert = 2
    Not = 3
    _UnaryEnd = 4

    _BinaryStart = 5
    Add = 6
    Sub = 7
    Mult = 8
    Div = 9
    FloorDiv = 10
    Mod = 11
    Pow = 12
    LShift = 13
    RShift = 14
    BitAnd = 15
    BitOr = 16
    BitXor = 17
    Lt = 18
    LtE = 19
    Eq = 20
    NotEq = 21
    Gt = 22
    GtE = 23
    And = 24
    Or = 25
    _BinaryEnd = 26

    _SpecialStart = 27
    IfThenElse = 28
    _SpecialEnd = 29


class OperationDoc(ExprDoc):
    """An operator with its operands."""

    __slots__ = ()
    _fields = {"kind": OperationKind, "operands": _exprs}

    def __init__(self, kind, operands):
        self._fill(kind=kind, operands=operands)


class LambdaDoc(ExprDoc):
    """lambda args: body"""

    __slots__ = ()
    _fields = {"args": _exprs, "body": _expr}

    def __init__(self, args, body):
        self._fill(args=args, body=body)


class TupleDoc(ExprDoc):
    """(elements)"""

    __slots__ = ()
    _fields = {"elements": _exprs}

    def __init__(self, elements):
        self._fill(elements=elements)


class ListDoc(ExprDoc):
    """[elements]"""

    __slots__ = ()
    _fields = {"elements": _exprs}

    def __init__(self, elements):
        self._fill(elements=elements)


class DictDoc(ExprDoc):
    """{key: value}"""

    __slots__ = ()
    _fields = {"keys": _exprs, "values": _exprs}

    def __init__(self, content):
        self._fill(keys=content, values=content.values())


class SliceDoc(Doc):
    """start:stop:step, which is an index only."""

    __slots__ = ()
    _fields = {"start": _optional, "stop": _optional, "step": _optional}

    def __init__(self, start=None, stop=None, step=None):
        self._fill(start=start, stop=stop, step=step)


class AssignDoc(StmtDoc):
    """lhs: annotation = rhs"""

    __slots__ = ()
    _fields = {"lhs": _expr, "rhs": _optional, "annotation": _optional}

    def __init__(self, lhs, rhs=None, annotation=None):
        if rhs is None and annotation is None:
            raise ValueError("an assignment has a value or an annotation")
        if isinstance(lhs, TupleDoc) and (rhs is None or annotation is not None):
            raise ValueError("an assignment to a tuple has a value and no annotation")
        self._fill(lhs=lhs, rhs=rhs, annotation=annotation)


class IfDoc(StmtDoc):
    """if predicate: then_branch else: else_branch"""

    __slots__ = ()
    _fields = {"predicate": _expr, "then_branch": _stmts, "else_branch": _stmts}

    def __init__(self, predicate, then_branch, else_branch):
        if not then_branch and not else_branch:
            raise ValueError("one branch of an if has statements")
        self._fill(predicate=predicate, then_branch=then_branch or (), else_branch=else_branch or ())


class WhileDoc(StmtDoc):
    """while predicate: body"""

    __slots__ = ()
    _fields = {"predicate": _expr, "body": _stmts}

    def __init__(self, predicate, body):
        self._fill(predicate=predicate, body=body)


class ForDoc(StmtDoc):
    """for lhs in rhs: body"""

    __slots__ = ()
    _fields = {"lhs": _expr, "rhs": _expr, "body": _stmts}

    def __init__(self, lhs, rhs, body):
        self._fill(lhs=lhs, rhs=rhs, body=body)


class ScopeDoc(StmtDoc):
    """with rhs as lhs: body"""

    __slots__ = ()
    _fields = {"lhs": _optional, "rhs": _expr, "body": _stmts}

    def __init__(self, lhs, rhs, body):
        self._fill(lhs=lhs, rhs=rhs, body=body)


class ExprStmtDoc(StmtDoc):
    """An expression as a statement."""

    __slots__ = ()
    _fields = {"expr": _expr}

    def __init__(self, expr):
        self._fill(expr=expr)


class AssertDoc(StmtDoc):
    """assert test, msg"""

    __slots__ = ()
    _fields = {"test": _expr, "msg": _optional}

    def __init__(self, test, msg=None):
        self._fill(test=test, msg=msg)


class ReturnDoc(StmtDoc):
    """return value"""

    __slots__ = ()
    _fields = {"value": _expr}

    def __init__(self, value):
        self._fill(value=value)


class FunctionDoc(StmtDoc):
    """@decorators def name (args) -> return_type: body"""

    __slots__ = ()
    _fields = {"name": _expr, "args": _stmts, "decorators": _exprs, "return_type": _optional, "body": _stmts}

    def __init__(self, name, args, decorators, return_type, body):
        self._fill(name=name, args=args, decorators=decorators, return_type=return_type, body=body)


class ClassDoc(StmtDoc):
    """@decorators class name: body"""

    __slots__ = ()
    _fields = {"name": _expr, "decorators": _exprs, "body": _stmts}

    def __init__(self, name, decorators, body):
        self._fill(name=name, decorators=decorators, body=body)


class CommentDoc(StmtDoc):
    """A comment by itself."""

    __slots__ = ()

    def __init__(self, comment):
        self._fill(comment=comment)


class DocStringDoc(StmtDoc):
    """A text that documents."""

    __slots__ = ()

    def __init__(self, docs):
        self._fill(comment=docs)
