"""Rewriting by patterns."""
from itertools import chain, count

import _loopscope as _core

from ...ir.module import IRModule
from ...ir.transform import Pass, PassInfo
from .pattern import CallPattern, ExprPattern, ExternFuncPattern, OrPattern, StructInfoPattern, TupleGetItemPattern, TuplePattern, WildcardPattern


# Functions that a rule brings are called NAME_RULE__N until they are in a module: rules are independent, so their names may be the same.
_RULE = "_rule__"
_numbers = count(1)


class PatternMatchingRewriter(Pass):
    """A rule for functions and modules; also a pass."""

    def __init__(self, rule, subroutines=None):
        super().__init__(PassInfo(0, "PatternMatchingRewriter"))
        self._rule = rule
        self._subroutines = dict(subroutines or {})

    @staticmethod
    def from_pattern(pattern, func):
        """A rule that puts func(expr, matches) for what fits the pattern."""
        return PatternMatchingRewriter(_core.PatternRule(pattern, func))

    @staticmethod
    def from_module(mod):
        """A rule of two functions of a module, `pattern` and `replacement`."""
        return _from_module(mod)

    def __or__(self, other):
        """This rule first, then the other."""
        return PatternMatchingRewriter(self._rule.either(other._rule), {**self._subroutines, **other._subroutines})

    def __call__(self, obj):
        """A function or a module with everything replaced that fits."""
        if isinstance(obj, IRModule):
            return super().__call__(obj)
        fresh = self._rule.apply(obj, None)
        if self._subroutines and not fresh.same_as(obj):
            raise ValueError("If PatternMatchingRewriter provides subroutines, then it must be applied to an entire IRModule.")
        return fresh

    def _run(self, mod, ctx):
        from ..expr import Function

        result = mod.clone()
        used = []
        changed = False
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                fresh = self._rule.apply(func, mod)
                if not fresh.same_as(func):
                    result[var] = fresh
                    changed = True
                    self._use(fresh, used)
        for var in used:
            result[var] = self._subroutines[var]
        return self._named(result, used) if changed else mod

    def _use(self, func, used):
        """Adds the subroutines that a function needs, and those that these need."""
        from ..analysis import all_global_vars

        names = {var.name_hint for var in all_global_vars(func)}
        for var, subroutine in self._subroutines.items():
            if var.name_hint in names and var not in used:
                used.append(var)
                self._use(subroutine, used)

    def _named(self, mod, used):
        """The module with its new functions under the names that their rules gave them, or the next free ones."""
        taken = {var.name_hint for var in mod.get_global_vars()}
        names = {}
        for var in (var for var in self._subroutines if var in used):
            base = var.name_hint.rpartition(_RULE)[0]
            name = next(x for x in chain([base], (f"{base}_{i}" for i in count(1))) if x not in taken)
            taken.add(name)
            names[var] = name
        return mod.replace_global_vars(names)


class ExprPatternRewriter(PatternMatchingRewriter):
    """A rule for a pattern."""

    def __init__(self, pattern, func):
        super().__init__(_core.PatternRule(pattern, func))


class OrRewriter(PatternMatchingRewriter):
    """Two rules, the first one before the other."""

    def __init__(self, lhs, rhs):
        super().__init__(lhs._rule.either(rhs._rule), {**lhs._subroutines, **rhs._subroutines})


class TupleRewriter(PatternMatchingRewriter):
    """A rule for several values at once."""

    def __init__(self, patterns, func):
        super().__init__(_core.PatternRule(TuplePattern(patterns), func))


def rewrite_call(pattern, rewriter, func):
    """A function with rewriter(expr, matches) for every expression that fits, until nothing changes."""
    return _core.PatternRule(pattern, rewriter).apply(func, None)


def rewrite_bindings(ctx, rewriter, func):
    """A function with what rewriter(matches, bindings) says for the bindings that fit the context's patterns."""
    return _core.rewrite_bindings(ctx._graph, rewriter, func)


def _function_of(mod, name, what):
    from ..expr import Function

    if name not in [var.name_hint for var in mod.get_global_vars()]:
        raise KeyError(f"Expected module to contain '{name}', a Relax function defining the {what}, but the module did not contain a '{name}' function.")
    func = mod[name]
    if not isinstance(func, Function):
        raise TypeError(f"Expected module to contain '{name}', a Relax function defining the {what}, but the '{name}' function was of type {type(func)}.")
    return func


def _pattern_of(func, wildcards):
    """The result of a function as a pattern of its parameters."""
    from .. import expr as ex
    from ...ir.op import Op
    from ..struct_info import PrimStructInfo

    known = {}
    for param in func.params:
        wildcards.append(WildcardPattern())
        known[param] = StructInfoPattern(wildcards[-1], param.struct_info)

    def pattern(node):
        if isinstance(node, ex.Var):
            return known[node]
        if isinstance(node, ex.Call):
            return CallPattern(pattern(node.op), [pattern(x) for x in node.args], add_constraint=False)
        if isinstance(node, ex.Tuple):
            return TuplePattern([pattern(x) for x in node.fields])
        if isinstance(node, ex.TupleGetItem):
            return TupleGetItemPattern(pattern(node.tuple_value), node.index)
        if isinstance(node, Op):
            return ExprPattern(node)
        if isinstance(node, ex.ExternFunc):
            return ExternFuncPattern(node.global_symbol)
        if isinstance(node, ex.PrimValue):
            return StructInfoPattern(WildcardPattern(), PrimStructInfo(value=node.value))
        if isinstance(node, (ex.Constant, ex.ShapeExpr)):
            return ExprPattern(node)
        raise TypeError(f"Cannot convert Relax expression of type {type(node)} into pattern-matching rule.")

    for block in func.body.blocks:
        for binding in block.bindings:
            made = pattern(binding.value)
            known[binding.var] = StructInfoPattern(made, binding.struct_info) if isinstance(binding, ex.MatchCast) else made
    return pattern(func.body.body)


def _from_module(mod):
    from .. import expr as ex

    own = f"{_RULE}{next(_numbers)}"
    mod = mod.replace_global_vars({var: var.name_hint + own for var in mod.get_global_vars() if var.name_hint not in ("pattern", "replacement")
                                   and "global_symbol" not in (mod[var].attrs or {})})
    source, target = _function_of(mod, "pattern", "pattern to be matched"), _function_of(mod, "replacement", "replacement to be made on a successful match")
    subroutines = {}
    for var, func in mod.functions.items():
        if var.name_hint in ("pattern", "replacement"):
            continue
        if func.attrs is not None and "global_symbol" in func.attrs:
            raise ValueError("Expected module to have no publicly-exposed functions other than 'pattern' and 'replacement'.  "
                             f"However, function '{var.name_hint}' is publicly exposed.")
        subroutines[var] = func
    if not _core.equal(source.struct_info, target.struct_info, False) is True:
        raise ValueError("The pattern and replacement must have the same signature, "
                         f"but the pattern has struct info {source.struct_info}, while the replacement has struct info {target.struct_info}")
    wildcards = []
    top = _pattern_of(source, wildcards)

    def replace(expr, matches):
        copy = _core.relax_copy_function(target)
        bindings = []
        for wildcard, param in zip(wildcards, copy.params):
            value = matches[wildcard]
            between = ex.DataflowVar("intermediate_var", value.struct_info)
            bindings.append(ex.VarBinding(between, value))
            bindings.append(ex.MatchCast(param, between, param.struct_info))
        return ex.SeqExpr([ex.DataflowBlock(bindings)] + list(copy.body.blocks), copy.body.body)

    return PatternMatchingRewriter(_core.PatternRule(top, replace), subroutines)


__all__ = ["PatternMatchingRewriter", "ExprPatternRewriter", "OrRewriter", "OrPattern", "TupleRewriter", "rewrite_call", "rewrite_bindings"]
