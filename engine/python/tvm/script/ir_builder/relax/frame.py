"""What stands around bindings while a Relax function is made by calls: the function, its dataflow blocks, its branches."""
from ....relax import expr as _expr
from ....relax.block_builder import BlockBuilder
from ..base import IRBuilder, IRBuilderFrame


class SeqExprFrame(IRBuilderFrame):
    """Blocks of bindings; a BlockBuilder of its own emits them."""

    def __init__(self):
        super().__init__()
        self.block_builder, self.binding_blocks, self.output = BlockBuilder(), [], None

    def __enter__(self):
        result = super().__enter__()
        self.block_builder._begin_binding_block()
        return result

    def finish_block(self, dataflow):
        """Ends the block that is open and begins one of the other kind."""
        block = self.block_builder._end_block()
        if len(block.bindings) > 0:
            self.binding_blocks.append(block)
        if dataflow:
            self.block_builder._begin_dataflow_block()
        else:
            self.block_builder._begin_binding_block()

    def sequence(self):
        """The blocks and the value behind them."""
        block = self.block_builder._end_block()
        blocks = self.binding_blocks + ([block] if len(block.bindings) > 0 else [])
        return _expr.SeqExpr(blocks, self.output)


class FunctionFrame(SeqExprFrame):
    """A function."""

    def __init__(self, is_pure=True, is_private=False):
        super().__init__()
        self.name, self.params, self.attrs, self.ret_struct_info = None, [], {}, None
        self.is_pure, self.is_private = is_pure, is_private

    def close(self, builder):
        if self.output is None:
            raise ValueError("A Relax function has a value: R.func_ret_value says which")
        attrs = dict(self.attrs)
        if self.name is not None and not self.is_private:
            attrs.setdefault("global_symbol", self.name)
        body = self.sequence()
        said, found = self.ret_struct_info, _expr.Function(self.params, body).ret_struct_info
        builder.add(_expr.Function(self.params, body, said if said is not None and not said.is_base_of(found) else found, self.is_pure, attrs))


class DataflowFrame(IRBuilderFrame):
    """A dataflow block; the variables that R.output names are seen behind it (`output_vars`)."""

    def __init__(self):
        super().__init__()
        self.output_vars = []

    def __enter__(self):
        self.around = IRBuilder.current().find(SeqExprFrame)
        self.around.finish_block(True)
        return super().__enter__()

    def close(self, builder):
        around = self.around
        around.finish_block(False)
        if around.binding_blocks and isinstance(around.binding_blocks[-1], _expr.DataflowBlock):
            remap = {var: _expr.Var(var.name_hint, var.struct_info) for var in self.output_vars}
            around.binding_blocks[-1] = _expr.DataflowBlock([_seen(binding, remap) for binding in around.binding_blocks[-1].bindings])
            self.output_vars = [remap[var] for var in self.output_vars]


def _seen(binding, remap):
    """The binding with variables that are seen outside."""
    from ....relax.expr_functor import PyExprMutator, mutator

    @mutator
    class Replace(PyExprMutator):
        """Variables of dataflow blocks become others."""

        def visit_dataflow_var_(self, var):
            """The variable that stands for it."""
            return remap.get(var, var)

    var, value = remap.get(binding.var, binding.var), Replace().visit_expr(binding.value)
    if isinstance(binding, _expr.MatchCast):
        return _expr.MatchCast(var, value, binding.struct_info)
    return _expr.VarBinding(var, value)


class IfFrame(IRBuilderFrame):
    """Two branches, Then and Else; the last variable of both is the value (`var`)."""

    def __init__(self, condition):
        super().__init__()
        self.condition, self.branches, self.names, self.var = condition, {}, {}, None

    def close(self, builder):
        around = builder.find(SeqExprFrame)
        if set(self.branches) != {True, False}:
            raise ValueError("An if of Relax has a Then and an Else")
        name = self.names[True]
        if name != self.names[False]:
            raise ValueError(f"The branches give `{name}` and `{self.names[False]}`; both give the same name its value")
        self.var = around.block_builder.emit(_expr.If(self.condition, self.branches[True], self.branches[False]), name)


class _BranchFrame(SeqExprFrame):
    """One branch."""

    which = True

    def close(self, builder):
        around = builder.find(IfFrame)
        if around is None:
            raise ValueError("A branch stands inside an if")
        block = self.block_builder._end_block()
        bindings = list(block.bindings)
        if not bindings:
            raise ValueError("A branch gives a variable its value")
        self.output = bindings[-1].var
        blocks = self.binding_blocks + [block]
        around.branches[self.which] = _expr.SeqExpr(blocks, self.output)
        around.names[self.which] = self.output.name_hint


class ThenFrame(_BranchFrame):
    """What holds when the condition does."""


class ElseFrame(_BranchFrame):
    """What holds when the condition does not."""

    which = False
