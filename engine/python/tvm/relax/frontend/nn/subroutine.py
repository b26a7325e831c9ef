"""Methods of a module as functions of their own: a class with `define_subroutine = True` has its forward exported once for each form of arguments, and
calls of it become calls of that function."""
import functools
import inspect
import re

import _loopscope  # noqa: F401

from ....ir import structural_equal
from ... import expr as rx
from ...block_builder import BlockBuilder
from ...struct_info import TupleStructInfo


def _snake(name):
    """CamelCase as snake_case."""
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)).lower()


def _normalized(builder, arg):
    if isinstance(arg, tuple):
        arg = rx.Tuple([_normalized(builder, x) for x in arg])
    if isinstance(arg, rx.Expr) and arg.struct_info_ is None:
        arg = builder.emit(arg)
    return arg


def _struct_info(arg):
    from .core import Tensor

    return (arg._expr if isinstance(arg, Tensor) else arg).struct_info


class SubroutineMixin:
    """What Module and relax.testing.nn.Module share: forward as a function of its own."""

    define_subroutine = False

    def __init_subclass__(cls):
        forward = cls.__dict__.get("forward") or getattr(cls, "forward", None)
        if forward is not None and not getattr(forward, "_is_subroutine_mixin", False):
            cls.forward = cls._subroutine_dispatch(forward)

    @classmethod
    def _subroutine_dispatch(cls, old_forward):
        @functools.wraps(old_forward)
        def forward(self, *args, **kwargs):
            if not self.define_subroutine:
                return old_forward(self, *args, **kwargs)
            builder = BlockBuilder.current()
            if builder is None:
                raise AssertionError(f"{type(self).__name__} has define_subroutine = True: it is called while a BlockBuilder has a function open")
            return self._call_subroutine(builder, old_forward, args, kwargs)

        forward._is_subroutine_mixin = True
        return forward

    def _call_subroutine(self, builder, old_forward, args, kwargs):
        from .core import Tensor

        given = {name: _normalized(builder, arg) for name, arg in inspect.signature(self.forward).bind(*args, **kwargs).arguments.items()}
        gvar, is_tensor = self._subroutine_of(builder, old_forward, given)
        operands = [x._expr if isinstance(x, Tensor) else x for x in [*given.values(), *self.parameters()]]
        out = rx.Call(gvar, operands)
        if is_tensor:
            out = Tensor(_expr=builder.emit(out, name_hint=f"{gvar.name_hint}_output"))
        return out

    def _subroutine_of(self, builder, old_forward, given):
        """The function for these arguments and whether it gives a tensor; found again for arguments of the same form."""
        from .core import Tensor

        params = [x._expr if isinstance(x, Tensor) else x for x in self.parameters()]
        form = TupleStructInfo([_struct_info(x) for x in [*given.values(), *params]])
        dataflow = builder.current_block_is_dataflow()
        known = builder.__dict__.setdefault("_subroutines", [])
        for forward, flow, other, result in known:
            if forward is old_forward and flow == dataflow and structural_equal(other, form, map_free_vars=True):
                return result
        result = self._define_subroutine(builder, old_forward, given, params, dataflow)
        known.append((old_forward, dataflow, form, result))
        return result

    def _define_subroutine(self, builder, old_forward, given, params, dataflow):
        from .core import Tensor
        from ...utils import copy_with_new_vars

        inner = [rx.Var(name, _struct_info(arg)) for name, arg in given.items()]
        arguments = [Tensor(_expr=var) if isinstance(arg, Tensor) else var for var, arg in zip(inner, given.values())]
        with builder.function(_snake(type(self).__name__), [*inner, *params], private=True):
            if dataflow:
                with builder.dataflow():
                    out = old_forward(self, *arguments)
                    is_tensor = isinstance(out, Tensor)
                    out = builder.emit_output(out._expr if is_tensor else out)
            else:
                out = old_forward(self, *arguments)
                is_tensor = isinstance(out, Tensor)
                out = out._expr if is_tensor else out
            gvar = builder.emit_func_output(out)
        # The weights and symbolic extents are variables of the caller too: each function gets its own.
        builder.update_func(gvar, copy_with_new_vars(builder.get()[gvar]))
        return gvar, is_tensor
