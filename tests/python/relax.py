"""Relax: builder, operators, mutators, passes, the virtual machine."""
import unittest

import tap
import tvm
import tvm.relax.testing.transform
from tvm import relax, te, tir, topi
from tvm.script import ir as I, relax as R, tir as T


def mlp():
    x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
    w = relax.Var("w", relax.TensorStructInfo((4, 8), "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x, w]):
        with bb.dataflow():
            lv = bb.emit(relax.op.matmul(x, relax.op.permute_dims(w)))
            gv = bb.emit_output(relax.op.nn.relu(lv))
        bb.emit_func_output(gv)
    return bb.get()


class Builder(unittest.TestCase):
    def test_nested_calls_become_bindings(self):
        text = mlp().script()
        self.assertIn("lv: R.Tensor((8, 4), dtype=\"float32\") = R.permute_dims(w, axes=None)", text)
        self.assertIn("R.nn.relu(lv1)", text)

    def test_parts_by_themselves(self):
        block = mlp()["main"].body.blocks[0]
        self.assertEqual(repr(block.bindings[0]), """w: R.Tensor((4, 8), dtype="float32")
lv: R.Tensor((8, 4), dtype="float32") = R.permute_dims(w, axes=None)""")
        self.assertTrue(repr(block).startswith("""w: R.Tensor((4, 8), dtype="float32")
x: R.Tensor((2, 8), dtype="float32")
with R.dataflow():
    lv: R.Tensor((8, 4)"""))

    def test_what_is_used_twice_is_bound_once(self):
        x = relax.Var("x", relax.TensorStructInfo((2,), "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            shared = relax.op.add(x, x)
            bb.emit_func_output(bb.emit(relax.op.multiply(shared, shared)))
        self.assertEqual([b.value.op.name for b in bb.get()["main"].body.blocks[0].bindings], ["relax.add", "relax.multiply"])

    def test_fields_of_tuples(self):
        info = relax.TensorStructInfo((2,), "float32")
        t = relax.Var("t", relax.TupleStructInfo([info, info]))
        self.assertEqual([field.index for field in t], [0, 1])
        with self.assertRaises(IndexError):
            t[2]

    def test_emit_te(self):
        x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            with bb.dataflow():
                lv = bb.emit_te(topi.nn.relu, x)
                gv = bb.emit_output(bb.call_te(lambda a: te.compute(a.shape, lambda i, j: a[i, j] + 1.0), lv))
            bb.emit_func_output(gv)
        self.assertIn("R.call_tir(cls.relu, (x,)", bb.get().script())

    def test_call_tir_of_2022(self):
        x = relax.Var("x", (2, 3), relax.DynTensorType(2, "float32"))
        bb = relax.BlockBuilder()
        with bb.function("main", [x]):
            with bb.dataflow():
                y = bb.emit(relax.op.call_tir(relax.extern("env.relu"), (x,), (2, 3), dtype="float32"))
                gv = bb.emit_output(y)
            bb.emit_func_output(gv)
        self.assertIn('R.call_dps_packed("env.relu", (x,), out_sinfo=R.Tensor((2, 3), dtype="float32"))', bb.get().script())

    def test_refusal(self):
        x = relax.Var("x", relax.TensorStructInfo((2, 8), "float32"))
        bb = relax.BlockBuilder()
        with self.assertRaises(tvm.TVMError):
            with bb.function("main", [x]):
                bb.emit(relax.op.matmul(x, x))


@tap.needs_numpy
class Run(unittest.TestCase):
    def test_build(self):
        import numpy as np

        rand = np.random.RandomState(2).rand
        x, w = rand(2, 8).astype("float32"), rand(4, 8).astype("float32") - 0.5
        vm = relax.VirtualMachine(relax.build(mlp(), target="llvm"), tvm.cpu())
        np.testing.assert_allclose(vm["main"](tvm.nd.array(x), tvm.nd.array(w)).numpy(), np.maximum(x @ w.T, 0), rtol=1e-5)
        with self.assertRaises(tvm.TVMError):
            vm["main"](tvm.nd.array(x))

    def test_bind_params(self):
        import numpy as np

        w = np.ones((4, 8), "float32")
        mod = relax.transform.BindParams("main", {"w": tvm.nd.array(w)})(mlp())
        self.assertEqual(len(mod["main"].params), 1)
        vm = relax.VirtualMachine(relax.build(mod), tvm.cpu())
        self.assertEqual(vm["main"](tvm.nd.array(np.ones((2, 8), "float32"))).numpy().tolist(), [[8.0] * 4] * 2)

    def test_bound_shapes_and_numbers_decide_symbols(self):
        @R.function
        def dims(x: R.Tensor(("m", "k"), "float32"), s: R.Shape(["m"]), n: R.Prim(value="k")) -> R.Tensor(("m", "k"), "float32"):
            R.func_attr({"global_symbol": "dims"})
            m, k = T.int64(), T.int64()
            y: R.Tensor((m, k), "float32") = R.multiply(x, x)
            return y

        bound = dims.bind_params({"s": relax.ShapeExpr([3]), dims.params[2]: relax.PrimValue(tvm.tir.IntImm("int64", 5))})
        self.assertEqual([param.name_hint for param in bound.params], ["x"])
        self.assertEqual([int(extent) for extent in bound.ret_struct_info.shape], [3, 5])
        self.assertEqual([int(extent) for extent in bound.params[0].struct_info.shape], [3, 5])
        for wrong in ({"s": relax.ShapeExpr([3, 3])}, {"s": relax.PrimValue(3)}, {"q": relax.ShapeExpr([3])}, {relax.Var("s"): relax.ShapeExpr([3])}):
            with self.assertRaises(tvm.TVMError, msg=str(wrong)):
                dims.bind_params(wrong)

    def test_unknown_ndim_beside_a_shape(self):
        for shape, ndim, dims in (([4, 2], -1, 2), ([4, 2], 2, 2), (None, 3, 3), (None, -1, -1)):
            @R.function
            def same(x: R.Tensor(shape, ndim=ndim, dtype="float32")):
                return x

            self.assertEqual(same.params[0].struct_info.ndim, dims)


class Lifting(unittest.TestCase):
    def test_lifted_functions_have_symbols_of_their_own(self):
        @I.ir_module
        class Before:
            @R.function
            def main(a: R.Tensor(("rows", 4), "float32"), b: R.Tensor(("rows", 4), "float32")) -> R.Tensor(("rows", 4), "float32"):
                rows = T.int64()

                @R.function
                def shift(x: R.Tensor((rows, 4), "float32")) -> R.Tensor((rows, 4), "float32"):
                    y = R.add(x, b)
                    return y

                @R.function
                def twice(x: R.Tensor((rows, 4), "float32")) -> R.Tensor((rows, 4), "float32"):
                    y = R.add(x, x)
                    return y

                c = twice(a)
                return shift(c)

        after = relax.transform.LambdaLift()(Before)
        self.assertTrue(relax.analysis.well_formed(after))
        symbols = [after[name].params[0].struct_info.shape[0] for name in ("main", "main_shift", "main_twice")]
        self.assertEqual(len(set(symbols)), 3)
        self.assertEqual(after["main_twice"].ret_struct_info.shape[0], symbols[2])


class Mutators(unittest.TestCase):
    def test_call(self):
        @relax.expr_functor.mutator
        class Swap(relax.PyExprMutator):
            def visit_call_(self, call):
                call = self.visit_expr_post_order(call)
                return relax.op.sigmoid(call.args[0]) if call.op == tvm.ir.Op.get("relax.nn.relu") else call

        mod = mlp()
        mod["main"] = Swap().visit_expr(mod["main"])
        self.assertIn("R.sigmoid(lv1)", mod.script())

    def test_parameters_that_change_are_used_and_change_the_result(self):
        @relax.expr_functor.mutator
        class Batch(relax.PyExprMutator):
            def visit_var_def_(self, var):
                return relax.Var("x7", relax.TensorStructInfo((7, 8), "float32")) if var.name_hint == "x" else var

        func = Batch().visit_expr(mlp()["main"])
        self.assertTrue(relax.analysis.well_formed(func))
        self.assertEqual(func.params[0].name_hint, "x7")
        tvm.ir.assert_structural_equal(func.ret_struct_info, relax.TensorStructInfo((7, 4), "float32"))

    def test_every_definition_is_visited(self):
        for base, decorate in ((relax.PyExprVisitor, relax.expr_functor.visitor), (relax.PyExprMutator, relax.expr_functor.mutator)):
            seen = []

            class Names(base):
                def visit_var_def_(self, var):
                    seen.append(var.name_hint)
                    return super().visit_var_def_(var)

                def visit_dataflow_var_def_(self, var):
                    seen.append(var.name_hint)
                    return super().visit_dataflow_var_def_(var)

            decorate(Names)().visit_expr(mlp()["main"])
            self.assertEqual(seen, ["x", "w", "lv", "lv1", "gv"])

    def test_decorated_classes_tell_the_one_to_inherit_from(self):
        @relax.expr_functor.mutator
        class Base(relax.PyExprMutator):
            def visit_call_(self, call):
                return super().visit_call_(call)

        with self.assertRaisesRegex(TypeError, "Please inherit from `Derived._cls`"):
            @relax.expr_functor.mutator
            class Derived(Base):
                pass

        calls = []

        @relax.expr_functor.mutator
        class Leaf(Base._cls):
            def visit_call_(self, call):
                calls.append(call.op.name)
                return super().visit_call_(call)

        Leaf().visit_expr(mlp()["main"])
        self.assertEqual(calls, ["relax.permute_dims", "relax.matmul", "relax.nn.relu"])

    def test_names_and_functions_are_expressions(self):
        for node in (relax.GlobalVar("f"), relax.ExternFunc("f"), mlp()["main"], relax.const(1), tvm.ir.Op.get("relax.add")):
            self.assertIsInstance(node, relax.Expr)
        self.assertNotIsInstance(relax.BindingBlock([]), relax.Expr)


@tap.needs_numpy
class Places(unittest.TestCase):
    """Operators that write into slices, look for buckets and resize: what comes out."""

    @staticmethod
    def run_on(call, *inputs):
        import numpy as np

        params = [relax.Var(f"x{i}", relax.TensorStructInfo(x.shape, str(x.dtype))) for i, x in enumerate(inputs)]
        bb = relax.BlockBuilder()
        with bb.function("main", params):
            bb.emit_func_output(bb.emit(call(*params)))
        vm = relax.VirtualMachine(relax.build(bb.get(), "llvm"), tvm.cpu())
        return vm["main"](*[tvm.nd.array(np.asarray(x)) for x in inputs]).numpy()

    def test_slices(self):
        import numpy as np

        x, src = np.zeros((3, 8), "float32"), np.arange(9, dtype="float32").reshape(3, 3) + 1
        for start, end, step in ((1, 7, 2), (-7, -1, 2), (2, 5, 1), (2, 100, 2)):
            expected = x.copy()
            expected[:, start:end:step] = src
            got = self.run_on(lambda a, b: relax.op.slice_scatter(a, b, start, end, step, axis=1), x, src)
            self.assertEqual(got.tolist(), expected.tolist())

    def test_buckets(self):
        import numpy as np

        x, bounds = np.array([[0.5, 1.0], [2.5, 9.0]], "float32"), np.array([1, 2, 3], "float32")
        for right, side in ((False, "left"), (True, "right")):
            got = self.run_on(lambda a, b: relax.op.bucketize(a, b, out_int32=right, right=right), x, bounds)
            self.assertEqual(got.tolist(), np.searchsorted(bounds, x, side).tolist())
            self.assertEqual(str(got.dtype), "int32" if right else "int64")

    def test_cubic_interpolation_keeps_cubics(self):
        import numpy as np

        line = np.arange(9, dtype="float32") ** 2
        x = np.broadcast_to(line, (1, 1, 9, 9)).copy()
        got = self.run_on(lambda a: relax.op.image.resize2d(a, (9, 17), layout="NCHW", method="cubic", coordinate_transformation_mode="align_corners",
                                                            cubic_alpha=-0.5), x)
        np.testing.assert_allclose(got[0, 0, 4, 2:-2], (np.arange(17) / 2)[2:-2] ** 2, rtol=1e-5)

    def test_callees_have_to_be_there(self):
        x = relax.Var("x", relax.TensorStructInfo((4,), "float32"))
        bb = relax.BlockBuilder()
        with self.assertRaisesRegex(tvm.TVMError, "does not have"):
            with bb.function("main", [x]):
                bb.emit(relax.op.call_tir(relax.GlobalVar("nowhere"), (x,), relax.TensorStructInfo((4,), "float32")))


def add_a_tuple(builder, call):
    return relax.Call(call.op, [call.args[0], relax.Tuple([])]) if len(call.args) == 1 else call


class OwnOperators(unittest.TestCase):
    """Operators that the program registers, and calls as they are written (relax.Call)."""

    def test_result_form_and_code(self):
        rules = {"FInferStructInfo": lambda call, builder: call.args[0].struct_info, "FNormalize": add_a_tuple, "FPurity": True,
                 "FLegalize": lambda builder, call: call.args[0]}
        for key, value in rules.items():
            tvm.ir.register_op_attr("own.same", key, value)
        op = tvm.ir.Op.get("own.same")

        @R.function(private=True)
        def short(A: R.Tensor((2, 3), "float32")):
            return relax.Call(op, [A])

        @R.function(private=True)
        def long(A: R.Tensor((2, 3), "float32")):
            return relax.Call(op, [A, R.tuple()])

        self.assertIn("own.same(A)", short.script())
        self.assertEqual([len(f.body.blocks[0].bindings[0].value.args) for f in (short, long)], [1, 2])
        self.assertEqual(str(short.ret_struct_info), 'R.Tensor((2, 3), dtype="float32")')

        @relax.expr_functor.mutator
        class Nothing(relax.PyExprMutator):
            """Changes nothing."""

        tvm.ir.assert_structural_equal(Nothing().visit_expr(short), long)
        self.assertEqual([relax.analysis.well_formed(f) for f in (short, long)], [False, True])
        after = relax.transform.LegalizeOps()(tvm.IRModule({"long": long}))
        self.assertNotIn("own.same", after.script())
        op.reset_attr("FNormalize")
        self.assertTrue(relax.analysis.well_formed(short))

        @tvm.ir.register_op_attr("own.fails", "FInferStructInfo")
        def fails(call, builder):
            raise ValueError("no")

        with self.assertRaises(Exception):
            relax.BlockBuilder().normalize(relax.Call(tvm.ir.Op.get("own.fails"), [short.params[0]]))
        self.assertRaises(tvm.TVMError, tvm.ir.Op.get, "own.unknown")

    def test_made_of_other_operators(self):
        """What it gives is asked of the engine's operators; its code is legalised again."""
        def what(name, call, builder):
            return tvm.ir.Op.get(name).get_attr("FInferStructInfo")(call, builder)

        def infer(call, builder):
            x, w, b = call.args
            product = relax.Var("p", what("relax.matmul", relax.op.matmul(x, w), builder))
            return what("relax.add", product + b, builder)

        for emits in (False, True):
            def code(builder, call, emits=emits):
                made = relax.op.matmul(call.args[0], call.args[1]) + call.args[2]
                return builder.emit(made) if emits else made

            rules = {"FInferStructInfo": infer, "FLegalize": code, "FPurity": True}
            for key, rule in rules.items():
                tvm.ir.register_op_attr("own.linear", key, rule)
            op = tvm.ir.Op.get("own.linear")

            @I.ir_module
            class Before:
                @R.function
                def main(x: R.Tensor((2, 3, 4), "float32"), w: R.Tensor((4, 5), "float32"), b: R.Tensor((3, 5), "float32")):
                    return relax.Call(op, [x, w, b])

            self.assertEqual([int(e) for e in Before["main"].ret_struct_info.shape], [2, 3, 5])
            after = relax.transform.LegalizeOps()(Before)
            self.assertEqual(after.script().count("R.call_tir"), 2)
            tvm.ir.assert_structural_equal(relax.transform.LegalizeOps()(after), after)
            for key in rules:
                op.reset_attr(key)

    def test_a_call_is_made_again(self):
        """A call of the operator, operands and attributes of another is the same call."""
        x, w = relax.Var("x", R.Tensor((1, 8, 9, 9), "float32")), relax.Var("w", R.Tensor((8, 8, 3, 3), "float32"))
        for call in (relax.op.nn.conv2d(x, w, padding=1), relax.op.permute_dims(x), relax.op.sum(x), relax.op.cumsum(x, 1, "int32"), relax.op.topk(x, 2),
                     relax.op.image.resize2d(x, (3, 3)), relax.op.astype(x, "int8"), relax.op.layout_transform(x, lambda a, b, c, d: (a, b // 2, c, d, b % 2))):
            again = relax.Call(call.op, call.args, call.attrs, call.sinfo_args)
            tvm.ir.assert_structural_equal(call, again)
            self.assertEqual(*(tvm.ir.structural_hash(c, map_free_vars=True) for c in (call, again)))

    def test_a_function_alone_says_what_it_is_called(self):
        @R.function
        def said(x: R.Tensor((4,), "float32")):
            R.func_attr({"global_symbol": "main"})
            return x

        self.assertEqual(str(said.attrs["global_symbol"]), "main")
        self.assertTrue(relax.analysis.well_formed(tvm.IRModule({"main": said})))

    def test_a_variable_for_the_arguments_of_call_tir(self):
        @I.ir_module
        class Module:
            @R.function
            def bound(A: R.Tensor((16,), "float32")):
                cls = Module
                args = (A,)
                return relax.Call(tvm.ir.Op.get("relax.call_tir"), [cls.twice, args], sinfo_args=[A.struct_info])

            @R.function
            def handed(args: R.Tuple([R.Tensor((16,), "float32")])):
                cls = Module
                return relax.Call(tvm.ir.Op.get("relax.call_tir"), [cls.twice, args], sinfo_args=[args[0].struct_info])

            @T.prim_func(private=True)
            def twice(A: T.Buffer(16, "float32"), B: T.Buffer(16, "float32")):
                for i in range(16):
                    B[i] = A[i] * T.float32(2)

        self.assertIn("R.call_tir(cls.twice, args, out_sinfo=R.Tensor((16,), dtype=\"float32\"))", Module.script())
        self.assertFalse(relax.analysis.well_formed(Module))
        after = relax.testing.transform.ApplyEmptyCppMutator()(Module)
        self.assertTrue(relax.analysis.well_formed(after))
        self.assertIn("R.call_tir(cls.twice, (A,), out_sinfo", after.script())
        tvm.ir.assert_structural_equal(after, tvm.script.from_source(after.script()))

    def test_attributes(self):
        @I.ir_module
        class Module:
            @R.function
            def main(A: R.Tensor((16,), "float32")):
                cls = Module
                return R.call_tir_inplace(cls.twice, A, inplace_indices=[0], out_sinfo=[A.struct_info])

            @T.prim_func(private=True)
            def twice(A: T.Buffer(16, "float32")):
                for i in range(16):
                    A[i] = A[i] * T.float32(2)

        attrs = Module["main"].body.blocks[0].bindings[0].value.attrs

        @I.ir_module
        class Same:
            @R.function
            def main(A: R.Tensor((16,), "float32")):
                cls = Same
                return relax.Call(tvm.ir.Op.get("relax.call_tir_inplace"), [cls.twice, (A,)], attrs=attrs, sinfo_args=[A.struct_info])

            @T.prim_func(private=True)
            def twice(A: T.Buffer(16, "float32")):
                for i in range(16):
                    A[i] = A[i] * T.float32(2)

        tvm.ir.assert_structural_equal(Same, Module)

    def test_a_branch_knows_what_its_end_checks(self):
        """In a branch a cast of a parameter's symbol says its number, as the cast at the branch's end checks it; where nothing checks it, it stays."""
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor(("n",), "float32"), a: R.Tensor((16,), "float32"), b: R.Tensor((32,), "float32")):
                n = T.int64()
                if n == 16:
                    y = R.match_cast(a, R.Tensor((n,), "float32"))
                    z: R.Tensor((n,), "float32") = R.exp(y)
                else:
                    y = R.match_cast(b, R.Tensor((n,), "float32"))
                    z: R.Tensor((n,), "float32") = R.exp(y)
                return R.add(x, z)

            @R.function
            def unseen(x: R.Tensor(("n",), "float32"), a: R.Tensor((16,), "float32"), yes: R.Tensor((), "bool")):
                n = T.int64()
                if yes:
                    y = R.match_cast(a, R.Tensor((n,), "float32"))
                    z = x
                else:
                    z = R.exp(x)
                return z

        after = relax.transform.CanonicalizeBindings()(Before)
        branch = after["main"].body.blocks[0].bindings[0].value
        for side, extent in ((branch.true_branch, 16), (branch.false_branch, 32)):
            first, *_, last = [binding for block in side.blocks for binding in block.bindings]
            self.assertEqual((first.value.op.name, int(first.var.struct_info.shape[0])), ("relax.exp", extent))
            self.assertIsInstance(last, relax.MatchCast)
            self.assertIsInstance(last.struct_info.shape[0], tir.Var)
        kept = after["unseen"].body.blocks[0].bindings[0].value.true_branch
        self.assertTrue(any(isinstance(binding, relax.MatchCast) for block in kept.blocks for binding in block.bindings))

    def test_casts_against_one_another(self):
        @I.ir_module
        class Before:
            @R.function
            def main(a: R.Tensor((16,), "float32"), b: R.Tensor((32,), "float32")):
                n = T.int64()
                x = R.match_cast(a, R.Tensor((n,), "float32"))
                y = R.match_cast(b, R.Tensor((n,), "float32"))
                return R.add(x, y)

        with self.assertRaisesRegex(ValueError, "MatchCast statements must be consistent"):
            relax.transform.CanonicalizeBindings()(Before)


if __name__ == "__main__":
    tap.main()
