"""The rules that are written in Python, by operator."""
import _loopscope as _core

RULES = {}
# Operators whose rule was taken away.
WITHOUT = set()


class BuiltinRule:
    """Stands for the engine's own rule of an operator; a rule to register again."""

    def __init__(self, op_name):
        self.op_name = op_name

    def __call__(self, bb, call):
        return call


def rule_of(op_name):
    """The rule of an operator, or None."""
    return RULES.get(op_name) or (None if op_name in WITHOUT else BuiltinRule(op_name))


def remove_rule(op_name):
    """The operator stays as it is from now on."""
    RULES.pop(op_name, None)
    WITHOUT.add(op_name)


def register_legalize(op_name, legal_func=None):
    """A function of a builder and a call, that gives what takes the place of the call; a decorator without the function."""

    def register(func):
        WITHOUT.discard(op_name)
        if isinstance(func, BuiltinRule):
            RULES.pop(op_name, None)
        else:
            RULES[op_name] = func
        return func

    return register(legal_func) if legal_func is not None else register


def _has_any(mod, rules):
    found = []

    def look(node):
        if _core.kind(node) == "RelaxCall" and getattr(node.op, "name", None) in rules:
            found.append(node)
        return not found

    def look_at(function):
        for block in function.body.blocks:
            for value in (binding.value for binding in block.bindings):
                if _core.kind(value) == "RelaxCall":
                    look(value)
                elif _core.kind(value) in ("RelaxIf", "Function", "SeqExpr"):
                    _core.walk(value, look, None)

    for func in mod.functions.values():
        if _core.kind(func) == "Function" and not found:
            look_at(func)
    return bool(found)


def apply_rules(mod, rules):
    """The module with the calls of these operators replaced; what a rule does not change stays."""
    from ...expr import Call, Expr, Function
    from ...expr_functor import PyExprMutator, mutator

    if not _has_any(mod, rules):
        return mod

    @mutator
    class Legalizer(PyExprMutator):
        """Asks the rule of each call."""

        def visit_call_(self, op):
            """A call."""
            call = super().visit_call_(op)
            rule = rules.get(getattr(call.op, "name", None)) if isinstance(call, Call) else None
            if rule is None:
                return call
            result = rule(self.builder_, call)
            return result if isinstance(result, Expr) else call

    legalizer = Legalizer(mod)
    for var, func in mod.functions.items():
        if isinstance(func, Function):
            changed = legalizer.visit_expr(func)
            if not changed.same_as(func):
                legalizer.builder_.update_func(var, changed)
    return legalizer.builder_.get()
