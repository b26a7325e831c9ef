"""AlterOpImpl: other functions of TensorIR in the place of those with an operator_name, in other layouts if need be.

Around a call whose function is replaced the inputs are brought into the layouts that the new function wants, and the
outputs back; where the way back leaves padding, a function called remove_pad cuts it off.
"""
from ...ir.transform import ModulePass, PassInfo
from ...tir import IndexMap


def _map(transform):
    """An index map, a function that is one, or what IndexMap.from_func_with_separators gives."""
    if callable(transform):
        return IndexMap.from_func_with_separators(transform)[0]
    return transform[0] if isinstance(transform, (tuple, list)) else transform


def _maps(transforms):
    return {name: [_map(m) for m in maps] for name, maps in transforms.items()}


def _own(index_map):
    """The same map over variables of its own: every call defines those of its map."""
    from ...tir import Var

    fresh = [Var(x.name, x.dtype) for x in index_map.initial_indices]
    return IndexMap(fresh, index_map.map_indices(fresh))


def _remove_pad(ndim):
    """A function over ndim dimensions whose output may be smaller than its input."""
    from ... import te

    inside = [te.var(f"p{i}", "int64") for i in range(ndim)]
    outside = [te.var(f"i{i}", "int64") for i in range(ndim)]
    data = te.placeholder(inside, name="input")
    output = te.compute(outside, lambda *i: data(*i), name="output")
    return te.create_prim_func([data, output]).without_attr("global_symbol").with_attr("operator_name", "remove_pad")


def _is_scalar(expr):
    from ..expr import Constant

    return isinstance(expr, Constant) and not len(expr.data.shape)


class _Alteration:
    """What is done at each call."""

    def __init__(self, impls, maps, separators, input_separators):
        self.impls, self.maps, self.separators, self.input_separators = impls, maps, separators, input_separators

    def replacement(self, builder, name):
        """The GlobalVar of the new function."""
        func = self.impls[name].with_attr("operator_name", name).without_attr("global_symbol")
        symbol = name.replace(".", "_") + "_replacement"
        if self.impls[name].attrs and "global_symbol" in self.impls[name].attrs:
            func = func.with_attr("global_symbol", symbol)
        return builder.add_func(func, symbol)

    def move(self, builder, expr, index_map, name, i):
        """The expression in another layout."""
        from .. import op

        if index_map is None or _is_scalar(expr):
            return expr
        mine, inputs = self.separators.get(name), self.input_separators.get(name)
        return builder.emit(op.layout_transform(expr, _own(index_map), axis_separators=mine[i] if mine else None, input_axis_separators=inputs[i] if inputs else None))

    def back(self, builder, expr, index_map, info, name, i):
        """The expression in the layout that the caller knows, not bound."""
        from .. import op
        from ... import tir

        if index_map is None:
            return expr
        inverse, padding = index_map.non_surjective_inverse(list(info.shape.values))
        mine, inputs = self.separators.get(name), self.input_separators.get(name)
        moved = op.layout_transform(expr, inverse, axis_separators=mine[i] if mine else None, input_axis_separators=inputs[i] if inputs else None)
        if isinstance(padding, tir.IntImm) and int(padding) == 0:
            return moved
        cut = builder.add_func(_remove_pad(len(info.shape.values)), "remove_pad")
        return op.call_tir(cut, (builder.emit(moved),), info)

    def rewrite(self, builder, call, name):
        """What takes the place of a call of a function of this operator_name."""
        from .. import op
        from ..expr import Tuple, TupleGetItem
        from ..struct_info import TensorStructInfo, TupleStructInfo

        args = list(call.args[1].fields)
        info = call.sinfo_args[0]
        outputs = list(info.fields) if isinstance(info, TupleStructInfo) else [info]
        maps, callee, more = self.maps.get(name) or [], self.replacement(builder, name), {"tir_vars": call.args[2]} if len(call.args) > 2 else {}
        if not maps:
            return op.call_tir(callee, tuple(args), outputs if isinstance(info, TupleStructInfo) else info, **more)
        if len(maps) != len(args) + len(outputs):
            raise ValueError(f"{name} has {len(args)} inputs and {len(outputs)} outputs; there are {len(maps)} layouts")
        args = [self.move(builder, x, m, name, i) for i, (x, m) in enumerate(zip(args, maps))]
        after = list(enumerate(maps))[len(args):]
        infos = [x if m is None else TensorStructInfo(m.map_shape(list(x.shape.values)), x.dtype) for x, (_, m) in zip(outputs, after)]
        call = op.call_tir(callee, tuple(args), infos if isinstance(info, TupleStructInfo) else infos[0], **more)
        if all(m is None for _, m in after):
            return call
        result = builder.emit(call)
        if not isinstance(info, TupleStructInfo):
            return self.back(builder, result, after[0][1], outputs[0], name, after[0][0])
        return Tuple([builder.emit(self.back(builder, builder.emit(TupleGetItem(result, k)), m, x, name, i))
                      for k, (x, (i, m)) in enumerate(zip(outputs, after))])


def AlterOpImpl(op_impl_map, op_buffer_transforms, op_buffer_axis_separators=None, op_buffer_input_axis_separators=None):  # noqa: N802
    """Calls other functions for those with an operator_name, with inputs and outputs in the layouts that these want."""
    alteration = _Alteration(dict(op_impl_map), _maps(op_buffer_transforms), dict(op_buffer_axis_separators or {}), dict(op_buffer_input_axis_separators or {}))

    def alter(mod, ctx):
        from ..expr import Call, Function
        from ..expr_functor import PyExprMutator, mutator

        def operator_of(call):
            name = getattr(call.op, "name", "") if isinstance(call, Call) else ""
            func = mod.functions.get(call.args[0]) if name == "relax.call_tir" else None
            found = func.attrs.get("operator_name") if func is not None and func.attrs else None
            return str(found) if found is not None and str(found) in alteration.impls else None

        @mutator
        class Alter(PyExprMutator):
            """Looks at each call."""

            def visit_call_(self, op):
                """A call."""
                call = super().visit_call_(op)
                name = operator_of(call)
                return call if name is None else alteration.rewrite(self.builder_, call, name)

        walker = Alter(mod)
        for var, func in mod.functions_items():
            if isinstance(func, Function):
                walker.builder_.update_func(var, walker.visit_expr(func))
        return walker.builder_.get()

    return ModulePass(alter, PassInfo(0, "AlterOpImpl"))
