"""Nodes that all levels share."""
from .base import (EnvFunc, Node, SourceName, Span, SequentialSpan, assert_structural_equal, load_json, save_json, structural_equal, structural_hash,
                   get_first_structural_mismatch, deprecated)
from .container import Array, Map
from .attrs import Attrs, DictAttrs, make_node
from .type import FuncType, PointerType, PrimType, TupleType, Type, TypeConstraint, IncompleteType, TensorType
from .expr import BaseExpr, BaseFunc, CallingConv, GlobalVar, PrimExpr, Range, RelaxExpr, RelayExpr
from .module import IRModule
from .op import Op, register_op_attr, register_intrin_lowering
from .global_info import GlobalInfo, DummyGlobalInfo, VDevice
from . import supply, diagnostics  # noqa: F401
from . import base, container, attrs, type, expr, module, op, transform, instrument, global_info  # noqa: A004
from . import analysis  # noqa: F401
