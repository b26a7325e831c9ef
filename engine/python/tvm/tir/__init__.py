"""TensorIR: expressions, statements, functions, schedules."""
from ..ir import PrimExpr
from .buffer import Buffer, DataProducer, decl_buffer
from .expr import (EQ, GE, GT, LE, LT, NE, Add, And, Any, Broadcast, BufferLoad, Call, CallEffectKind, Cast, CommReducer, ConstExpr, Div, ExprOp, FloatImm,
                   FloorDiv, FloorMod, IntImm, IterVar, Let, Max, Min, Mod, Mul, Not, Or, PrimExprWithOp, ProducerLoad, Ramp, Reduce, Select, Shuffle,
                   SizeVar, StringImm, Sub, Var, BinaryOpExpr, CmpExpr, LogicalExpr, convert)
from .stmt import (Allocate, AllocateConst, AssertStmt, AttrStmt, Block, BlockRealize, BufferRealize, BufferRegion, BufferStore, DeclBuffer, Evaluate,
                   For, ForKind, IfThenElse, LetStmt, MatchBufferRegion, SeqStmt, Stmt, While, stmt_list, stmt_seq)
from .function import IndexMap, PrimFunc, TensorIntrin
from .op import *  # noqa: F403
from .generic import add, subtract, multiply
from .op import const
from .data_layout import BijectiveLayout, Layout, bijective_layout, layout
from .schedule import BlockScope, Schedule, ScheduleError, ScheduleState, StmtSRef, BlockDependenceInfo
from . import analysis, buffer, expr, function, functor, generic, ir_builder, op, schedule, stmt, stmt_functor, tensor_intrin, transform
from . import build, pipeline
from .functor import PyStmtExprMutator, PyStmtExprVisitor
from .pipeline import get_default_tir_pipeline, get_tir_pipeline
from .._alias import alias as _alias
from .script import install as _install
from ..ir.expr import Range as _Range
from ..ir.type import Type as _Type

_install(PrimExpr, Buffer, BufferRegion, MatchBufferRegion, IterVar, CommReducer, _Range, _Type)
_alias("tvm.tir.transform.transform", transform)
_alias("tvm.tir.transform.function_pass", transform)
_alias("tvm.tir.analysis.analysis", analysis)
_alias("tvm.tir.block_scope", schedule)
_alias("tvm.tir.block_dependence_info", schedule)
