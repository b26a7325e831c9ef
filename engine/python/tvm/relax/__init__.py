"""Relax: functions over tensors."""
from . import struct_info
from .struct_info import (FuncStructInfo, ObjectStructInfo, PrimStructInfo, ShapeStructInfo, StructInfo, TensorStructInfo, TupleStructInfo)
from . import ty
from .ty import DynTensorType, FuncType, ObjectType, PackedFuncType, ShapeType, TensorType, TupleType
from .expr import (Binding, BindingBlock, Call, Constant, DataTypeImm, DataflowBlock, DataflowVar, Expr, ExternFunc, Function, GlobalVar, If, Id, MatchCast,
                   PrimValue, SeqExpr, ShapeExpr, Span, StringImm, Tuple, TupleGetItem, Var, VarBinding, const, extern, get_shape_of, te_tensor)
from . import op
from .op import nn
from .op import (add, multiply, subtract, divide, matmul, permute_dims, call_builtin_with_ctx, call_dps_packed, call_inplace_packed,  # noqa: F401
                 call_pure_packed, call_tir, call_tir_inplace, call_tir_with_grad)
from .block_builder import BlockBuilder
from . import expr_functor
from .expr_functor import ExprFunctor, ExprMutator, ExprVisitor, PyExprMutator, PyExprVisitor
from . import analysis, transform
from .vm_build import VMExecutable, build
from .vm import VirtualMachine, VMInstrumentReturnKind
from . import vm
from .exec_builder import ExecBuilder
from . import expr, block_builder
from . import frontend
from . import distributed

Executable = VMExecutable
AnyType = ObjectStructInfo          # as 2026 calls it


def dataflow(*args, **kwargs):
    """Has a meaning inside a script only."""
    raise RuntimeError("R.dataflow has a meaning only inside a function that is decorated with R.function")


def output(*args, **kwargs):
    """Has a meaning inside a script only."""
    raise RuntimeError("R.output has a meaning only inside a function that is decorated with R.function")


def __getattr__(name):
    import importlib

    if name in ("dpl", "testing", "training", "utils", "backend", "ir", "binding_rewrite", "pipeline"):
        return importlib.import_module("." + name, __name__)
    if name in ("get_pipeline", "register_pipeline", "default_build_pipeline", "zero_pipeline", "get_default_pipeline"):
        return getattr(importlib.import_module(".pipeline", __name__), name)
    if name in ("VDevice", "DummyGlobalInfo"):          # where 2026 has them
        return getattr(importlib.import_module("..ir", __name__), name)
    if name == "DataflowBlockRewrite":
        return importlib.import_module(".binding_rewrite", __name__).DataflowBlockRewrite
    raise AttributeError(f"module 'tvm.relax' has no attribute '{name}'")
