"""The rules that are written in Python, by operator."""

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


def apply_rules(mod, rules):
    """The module with the calls of these operators replaced; what a rule does not change stays."""
    from ...expr import Call, Expr, Function
    from ...expr_functor import PyExprMutator, mutator

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
