"""The base of everything that wraps a node of the engine."""
import os as _os

import _loopscope as _core

_STYLE = _os.environ.get("LOOPSCOPE_STYLE", "0.20")


def set_style(style):
    """The form of printed scripts: "0.20", "2023" or "2026"."""
    global _STYLE
    _STYLE = style


def get_style():
    """The form of printed scripts."""
    return _STYLE


_KEYS = {**{kind: kind for kind in ("Array", "Map", "IntImm", "FloatImm", "GlobalVar", "Range", "Op", "PrimType", "PointerType", "TupleType")},
         "Module": "IRModule", "String": "runtime.String", "Tensor": "runtime.NDArray", "TeTensor": "Tensor", "RelaxTuple": "relax.expr.Tuple",
         "RelaxVar": "relax.expr.Var", "RelaxCall": "relax.expr.Call", "RelaxIf": "relax.expr.If", "RelaxString": "relax.expr.StringImm",
         "DTensorStructInfo": "relax.DTensorStructInfo", "DeviceMesh": "relax.distributed.DeviceMesh", "PlacementSpec": "relax.distributed.PlacementSpec",
         "Placement": "relax.distributed.Placement"}
_RELAX = ("DataflowVar", "Constant", "PrimValue", "DataTypeImm", "ShapeExpr", "TupleGetItem", "ExternFunc", "SeqExpr", "BindingBlock", "DataflowBlock",
          "VarBinding", "MatchCast", "Function")


class Object(_core.Node):
    """A node: immutable, compared by identity."""

    __slots__ = ()

    def __repr__(self):
        return _core.print(self, _STYLE, True, False).rstrip("\n")

    def __str__(self):
        return self.__repr__()

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        from ..ir.base import load_json, save_json

        return load_json, (save_json(self),)

    def __getstate__(self):
        from ..ir.base import save_json

        return {"handle": save_json(self)}

    def __setstate__(self, state):
        from ..ir.base import load_json

        _core.rebind(self, load_json(state["handle"]))

    @property
    def type_key(self):
        """The name under which TVM registers the class of the node."""
        kind = _core.kind(self)
        return _KEYS.get(kind, "relax.expr." + kind if kind in _RELAX else "tir." + kind)

    @property
    def handle(self):
        """A pointer to the node; each one is an object of its own, whose value is the number."""
        import ctypes

        return ctypes.c_void_p(_core.address(self))


def register(kind):
    """Decorator: objects of the class stand for nodes of this kind."""

    def decorate(cls):
        _core.set_class(kind, cls)
        return cls

    return decorate
