"""The rules that are written in Python, by operator."""

RULES = {}


def register_legalize(op_name, legal_func=None):
    """A function of a builder and a call, that gives what takes the place of the call; a decorator without the function."""

    def register(func):
        if func is None:
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
