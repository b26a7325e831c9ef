"""Changes in a dataflow block of a function; the function itself stays as it is."""
from ..error import TVMError
from . import expr as _e
from .analysis import free_vars


class DataflowBlockRewrite:
    """Adds, removes and replaces bindings of one dataflow block."""

    def __init__(self, dfb, root_fn):
        self._block, self._func = dfb, root_fn

    def _names(self):
        from .analysis import all_vars

        return {var.name_hint for var in all_vars(self._func)}

    def _put(self, bindings):
        fresh = _e.DataflowBlock(bindings)
        seq = self._func.body
        blocks = [fresh if block.same_as(self._block) else block for block in seq.blocks]
        self._set(_e.SeqExpr([block for block in blocks if len(block.bindings) > 0], seq.body))
        self._block = fresh

    def _set(self, body):
        func = self._func
        self._func = _e.Function(list(func.params), body, func.ret_struct_info, func.is_pure, func.attrs)

    def replace_all_uses(self, old_var, new_var):
        """Where the one was used the other is; the old binding stays."""
        from .expr_functor import PyExprMutator, mutator

        @mutator
        class Replace(PyExprMutator):
            """One variable for another."""

            def visit_var_(self, op):
                return new_var if op.same_as(old_var) else op

            visit_dataflow_var_ = visit_var_

        position = [i for i, block in enumerate(self._func.body.blocks) if block.same_as(self._block)]
        self._set(Replace().visit_expr(self._func.body))
        if position:
            self._block = self._func.body.blocks[position[0]]

    def add_binding(self, binding):
        """A binding at the end of the block."""
        self._put(list(self._block.bindings) + [binding])

    def add(self, expr, name=None, is_dfvar=False):
        """A binding of an expression to a new variable at the end of the block."""
        if name is None:
            names, count = self._names(), 0
            prefix = "lv" if is_dfvar else "gv"
            while f"{prefix}{count or ''}" in names:
                count += 1
            name = f"{prefix}{count or ''}"
        elif name in self._names():
            raise TVMError(f"the name {name} is taken")
        info = expr.struct_info_
        var = (_e.DataflowVar if is_dfvar else _e.Var)(name, info)
        self.add_binding(_e.VarBinding(var, expr))

    def remove_unused(self, var, allow_undef=False):
        """Removes the binding of a variable that nobody uses."""
        kept = [b for b in self._block.bindings if not b.var.same_as(var)]
        if len(kept) == len(self._block.bindings):
            if not allow_undef:
                raise TVMError(f"{var} cannot be removed: the block does not bind it")
            return
        used = [x for b in kept for x in free_vars(b.value)]
        used += [x for block in self._func.body.blocks if not block.same_as(self._block) for b in block.bindings for x in free_vars(b.value)]
        used += free_vars(self._func.body.body)
        if any(x.same_as(var) for x in used):
            raise TVMError(f"{var} cannot be removed: it is used")
        self._put(kept)

    def remove_all_unused(self):
        """Removes bindings until all that are left are used."""
        from .analysis import remove_all_unused

        position = [i for i, block in enumerate(self._func.body.blocks) if block.same_as(self._block)]
        before = len(self._func.body.blocks)
        self._func = remove_all_unused(self._func)
        blocks = self._func.body.blocks
        self._block = blocks[position[0]] if position and len(blocks) == before else _e.DataflowBlock([])

    def mutated_dfb(self):
        """The block as it is now."""
        return self._block

    def mutated_root_fn(self):
        """The function as it is now."""
        return self._func

    def mutate_irmodule(self, irmodule):
        """The module with the function as it is now."""
        result = irmodule.clone()
        for var, func in irmodule.functions.items():
            symbol = self._func.attrs["global_symbol"] if self._func.attrs and "global_symbol" in self._func.attrs else None
            if symbol == var.name_hint:
                result[var] = self._func
        return result
