"""HoistIfThenElse: a condition that does not change in a loop is asked once outside of it.

A loop whose body is one condition that hangs neither on its variable, nor on memory, nor on an effect changes places with it;
from the inside out, so that a condition ends under the innermost loop that it hangs on.  The option
support_block_scope_hosting (across attributes) has no effect."""
import enum

import _loopscope as _core

from .removal import each_function, with_body


class HoistedConditionals(enum.Flag):
    """Which conditions HoistExpression moves."""

    Never = 0
    IfElseStmt = 1
    IfElseExpr = 2
    BooleanExpression = 4
    UsingBlockVar = 8
    All = IfElseStmt | IfElseExpr | BooleanExpression | UsingBlockVar


class HoistedLetBindings(enum.Flag):
    """Which bindings HoistExpression moves."""

    Never = 0
    RequiredByConditional = 1
    LetStmt = 2
    LetExpr = 4
    All = RequiredByConditional | LetStmt | LetExpr


def _is_fixed(condition, var):
    """Does the condition stay the same while a variable runs?"""
    from ..analysis.checks import _READ_STATE, _effect

    moving = []

    def enter(node):
        kind = _core.kind(node)
        if kind == "BufferLoad" or kind == "Call" and _effect(node.op) >= _READ_STATE or node.same_as(var):
            moving.append(node)
        return not moving

    _core.walk(condition, enter, None)
    return not moving


def _loop_over(loop, body):
    from ..stmt import For

    return For(loop.loop_var, loop.min, loop.extent, loop.kind, body, loop.thread_binding, loop.annotations)


def _again(loop, body):
    """The loop with a variable of its own: the other branch has the first one."""
    from ..expr import Var
    from ..stmt import For

    var = Var(loop.loop_var.name, loop.loop_var.dtype)
    return For(var, loop.min, loop.extent, loop.kind, _core.substitute(body, {loop.loop_var: var}), None, loop.annotations)


def _exchanged(loop):
    """The loop, or the condition with the loop inside."""
    from ..stmt import IfThenElse

    branch = loop.body
    if _core.kind(branch) != "IfThenElse" or loop.thread_binding is not None or not _is_fixed(branch.condition, loop.loop_var):
        return loop
    then_case = _exchanged(_loop_over(loop, branch.then_case))
    else_case = None if branch.else_case is None else _exchanged(_again(loop, branch.else_case))
    return IfThenElse(branch.condition, then_case, else_case)


def HoistIfThenElse(variant=None):
    """Moves conditions out of the loops that do not change them."""
    def hoist(func, ctx):
        return with_body(func, _core.transform(func.body, None, _exchanged, ["For"]))

    return each_function("HoistIfThenElse", hoist)
