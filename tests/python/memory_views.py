"""R.memory.view: what a view is known to be, what leaves the memory of its tensor, views when run."""
import unittest

import tap
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R

HEAD = "from tvm.script import relax as R, tir as T\n@R.function\ndef main(A: {}, n: R.Shape(['N']), t: R.Object, at: R.Prim('int64')):\n"
BODY = "    N = T.int64()\n    B = R.memory.view(A, {})\n    return B\n"


def viewed(tensor, words):
    return tvm.script.from_source((HEAD + BODY).format(tensor, words)).ret_struct_info


class Known(unittest.TestCase):
    def test_shapes_and_types(self):
        for tensor, words, expected in (("R.Tensor", "R.shape([8, 8])", relax.TensorStructInfo((8, 8), "")),
                                        ("R.Tensor([16], 'float32')", "R.shape([4, 4])", relax.TensorStructInfo((4, 4), "float32")),
                                        ("R.Tensor", "dtype=R.dtype('int8')", relax.TensorStructInfo(dtype="int8")),
                                        ("R.Tensor('float32')", "dtype=t", relax.TensorStructInfo(dtype="")),
                                        ("R.Tensor([16], 'uint8')", "shape=R.shape([8]), dtype=R.dtype('float16')", relax.TensorStructInfo((8,), "float16")),
                                        ("R.Tensor([16], 'uint8')", "relative_byte_offset=at", relax.TensorStructInfo((16,), "uint8")),
                                        ("R.Tensor", "relative_byte_offset=R.prim_value(0)", relax.TensorStructInfo(dtype=""))):
            tvm.ir.assert_structural_equal(viewed(tensor, words), expected)
        self.assertIsInstance(viewed("R.Tensor(['N'])", "R.shape([N // 8, 8])").shape[0], tvm.tir.FloorDiv)

    def test_a_type_in_a_variable(self):
        text = HEAD.format("R.Tensor([8], 'uint8')") + "    d = R.dtype('{}')\n    B = R.memory.view(A, R.shape([{}]), d)\n    return B\n"
        tvm.ir.assert_structural_equal(tvm.script.from_source(text.format("float16", 4)).ret_struct_info, relax.TensorStructInfo((4,), "float16"))
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "leaves the memory"):
            tvm.script.from_source(text.format("float16", 5))

    def test_what_may_fit_is_left_to_the_run(self):
        self.assertEqual(viewed("R.Tensor(['N'])", "R.shape([(N + 3) // 4, 4])").ndim, 2)

    def test_what_never_fits_is_refused(self):
        for tensor, words in (("R.Tensor([16])", "R.prim_value(42)"), ("R.Tensor([16])", "R.shape([17])"), ("R.Tensor(['N'])", "R.shape([N + 1])"),
                              ("R.Tensor(['N'])", "R.shape([N // 4 + 1, 4])"), ("R.Tensor('float32')", "dtype=R.dtype('void')"),
                              ("R.Tensor([16], 'uint8')", "dtype=R.dtype('float16')"), ("R.Tensor", "relative_byte_offset=16"),
                              ("R.Tensor([8], 'float16')", "R.shape([32]), R.dtype('uint8')"), ("R.Tensor([8], 'float16')", "R.shape([8]), relative_byte_offset=2"),
                              ("R.Tensor([16])", "R.shape([4]), relative_byte_offset=-8")):
            with self.assertRaises(tvm.error.DiagnosticError, msg=words):
                viewed(tensor, words)


class Run(unittest.TestCase):
    @tap.needs_numpy
    def test_parts_of_a_tensor(self):
        import numpy as np

        @I.ir_module
        class Module:
            @R.function
            def main(A: R.Tensor([64], "uint8")):
                b = R.memory.view(A, shape=R.shape([4]), dtype=R.dtype("int32"))
                c = R.memory.view(A, R.shape([2, 8]), "float16", R.prim_value(32))
                d = R.memory.view(A)
                return (b, c, d)

        tvm.ir.assert_structural_equal(relax.transform.LegalizeOps()(Module), Module)
        data = np.arange(64, dtype="uint8")
        b, c, d = relax.VirtualMachine(tvm.compile(Module, target="llvm"), tvm.cpu())["main"](tvm.nd.array(data))
        np.testing.assert_array_equal(b.numpy(), data[:16].view("int32"))
        np.testing.assert_array_equal(c.numpy(), data[32:].view("float16").reshape(2, 8))
        np.testing.assert_array_equal(d.numpy(), data)


VIEW = 'R.ExternFunc("runtime.TVMArrayCreateView", R.Callable(derive_func="tvm.relax.struct_info.infer_view_sinfo", purity=True))'


class Lowered(unittest.TestCase):
    """LowerRuntimeBuiltin: a call of the runtime, of whose result a rule says what it is."""

    def text(self, tensor, words):
        module = tvm.IRModule.from_expr(tvm.script.from_source((HEAD + BODY).format(tensor, words)))
        after = relax.transform.LowerRuntimeBuiltin()(module)
        tvm.ir.assert_structural_equal(tvm.script.from_source(after.script()), after)
        return after["main"], after.script()

    def test_what_is_left_out_is_what_the_tensor_has(self):
        for words, args in (("R.shape([4, 4])", 'R.shape([4, 4]), R.dtype("float32"), R.prim_value(0)'),
                            ("dtype=R.dtype('int32')", 'R.shape([16]), R.dtype("int32"), R.prim_value(0)'),
                            ("R.shape([8]), R.dtype('int16'), R.prim_value(32)", 'R.shape([8]), R.dtype("int16"), R.prim_value(32)'),
                            ("dtype=t, relative_byte_offset=at", 'R.shape([16]), t, at')):
            func, text = self.text("R.Tensor([16], 'float32')", words)
            self.assertIn(f"{VIEW}(A, {args})", text)
            tvm.ir.assert_structural_equal(func.body.blocks[0].bindings[-1].var.struct_info, viewed("R.Tensor([16], 'float32')", words))

    def test_what_nobody_knows_stays(self):
        for tensor, words in (("R.Tensor(ndim=1, dtype='float32')", "dtype=R.dtype('int32')"), ("R.Tensor([16])", "R.shape([4])")):
            self.assertIn("R.memory.view(A", self.text(tensor, words)[1])

    def test_the_rule_has_a_name(self):
        rule = "tvm.relax.struct_info.infer_view_sinfo"
        info = relax.FuncStructInfo.opaque_func(derive_func=rule, purity=True)
        self.assertEqual(info.derive_func, rule)
        self.assertIsNone(relax.FuncStructInfo.opaque_func().derive_func)
        self.assertEqual(str(info), f'R.Callable(derive_func="{rule}", purity=True)')
        self.assertFalse(tvm.ir.structural_equal(info, relax.FuncStructInfo.opaque_func(purity=True)))
        with self.assertRaisesRegex(ValueError, "a result or a rule"):
            relax.FuncStructInfo.opaque_func(ret=relax.ObjectStructInfo(), derive_func=rule)
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "derive_func is the name of a rule"):
            tvm.script.from_source("@R.function\ndef f(g: R.Callable((R.Object,), R.Object, derive_func='x')):\n    return g\n")
        later = tvm.script.from_source("@R.function\ndef f(g: R.Callable(derive_func='tvm.relax.type.infer_view_ty', purity=True)):\n    return g\n")
        tvm.ir.assert_structural_equal(later.params[0].struct_info, info)


class OwnRules(unittest.TestCase):
    """A signature that names a function of the program: it says what calls give."""

    def setUp(self):
        tvm.register_func("memory_views.twice", lambda call, ctx: relax.TensorStructInfo([2 * n for n in call.args[0].struct_info.shape], "int32"), override=True)
        self.x = relax.Var("x", R.Tensor((3, 4), "float32"))

    def test_calls(self):
        for rule in ("memory_views.twice", tvm.ir.EnvFunc.get("memory_views.twice")):
            signature = relax.FuncStructInfo.opaque_func(derive_func=rule, purity=True)
            wanted = relax.TensorStructInfo((6, 8), "int32")
            for function in (relax.Var("f", signature), relax.ExternFunc("twice", signature)):
                call = relax.Call(function, [self.x])
                tvm.ir.assert_structural_equal(relax.BlockBuilder().normalize(call).struct_info, wanted)
                tvm.ir.assert_structural_equal(relax.analysis.derive_call_ret_struct_info(signature, call), wanted)

    def test_in_a_script(self):
        func = tvm.script.from_source("""@R.function
def f(x: R.Tensor((3, 4), "float32"), g: R.Callable(derive_func="memory_views.twice", purity=True)):
    y = g(x)
    return y
""")
        self.assertEqual(str(func.ret_struct_info), 'R.Tensor((6, 8), dtype="int32")')

    def test_a_rule_that_raises(self):
        tvm.register_func("memory_views.raises", lambda call, ctx: 1 // 0, override=True)
        signature = relax.FuncStructInfo.opaque_func(derive_func="memory_views.raises")
        with self.assertRaises(ZeroDivisionError):
            relax.BlockBuilder().normalize(relax.Call(relax.Var("f", signature), [self.x]))

    def test_a_name_that_nobody_registered(self):
        signature = relax.FuncStructInfo.opaque_func(derive_func="memory_views.nobody")
        with self.assertRaisesRegex(ValueError, "memory_views.nobody"):
            relax.BlockBuilder().normalize(relax.Call(relax.Var("f", signature), [self.x]))


class Weights(unittest.TestCase):
    """VMShapeLower: of what follows num_input only symbols are read."""

    def test_known_extents_are_trusted(self):
        module = tvm.script.from_source('''
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32"), more: R.Tuple(R.Tensor((5,), "float32"), R.Tensor(("n",), "float32"))):
        R.func_attr({"relax.force_pure": True, "num_input": 1})
        return (x, w)
''')
        text = relax.transform.VMShapeLower(emit_err_ctx=False)(module).script()
        self.assertEqual(text.count("check_tensor_info"), 2)        # x and the second of more
        self.assertEqual(text.count("match_shape"), 2)
        self.assertNotIn("check_tensor_info\", w", text)
        self.assertNotIn("more[0]", text)                           # nothing asks for it

    @tap.needs_numpy
    def test_a_wrong_weight_is_still_found(self):
        import numpy as np

        module = tvm.script.from_source('''
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        R.func_attr({"num_input": 1})
        y = R.matmul(x, w)
        return y
''')
        vm = relax.VirtualMachine(relax.build(module, "llvm"), tvm.cpu())
        x = tvm.nd.array(np.ones((4, 4), "float32"))
        np.testing.assert_array_equal(vm["main"](x, x).numpy(), np.full((4, 4), 4, "float32"))
        for wrong in (np.ones((2, 2), "float32"), np.ones((4, 4), "int32"), np.ones(16, "float32")):
            with self.assertRaises(tvm.TVMError):
                vm["main"](x, tvm.nd.array(wrong))


class Storage(unittest.TestCase):
    @tap.needs_numpy
    def test_a_planned_storage_has_the_bytes_that_were_asked_for(self):
        import numpy as np
        text = """
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor([4], "float32")):
        R.func_attr({"relax.force_pure": True})
        storage: R.Object = R.memory.alloc_storage(R.shape([16]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        B: R.Tensor([4], "float32") = R.memory.alloc_tensor(storage, R.prim_value(OFFSET), R.shape([4]), R.dtype("float32"))
        return B
"""
        as_it_is = tvm.transform.Sequential([])
        run = lambda offset: relax.VirtualMachine(relax.build(tvm.script.from_source(text.replace("OFFSET", str(offset))), "llvm", relax_pipeline=as_it_is),
                                                  tvm.cpu())["main"](tvm.nd.array(np.zeros(4, "float32")))
        self.assertEqual(run(0).shape, (4,))
        with self.assertRaisesRegex(Exception, "16 bytes does not fit into a storage of 16 at 16"):
            run(16)


class Padding(unittest.TestCase):
    def test_a_plain_number_is_of_the_type_of_the_tensor(self):
        x = relax.Var("x", R.Tensor((10, 20), "float32"))
        call = relax.op.layout_transform(x, lambda i, j: (i, j // 3, j % 3), pad_value=2)
        tvm.ir.assert_structural_equal(relax.BlockBuilder().normalize(call).struct_info, relax.TensorStructInfo((10, 7, 3), "float32"))

        text = "@R.function\ndef f(x: R.Tensor((10, 20), '{}')):\n    y = R.layout_transform(x, index_map=lambda i, j: (i, j // 3, j % 3), pad_value={})\n    return y\n"
        for dtype, pad, value in (("float32", "2", 2.0), ("int8", "2", 2), ("float16", "1.5", 1.5)):
            call = tvm.script.from_source(text.format(dtype, pad)).body.blocks[0].bindings[0].value
            self.assertEqual((call.attrs["pad_value"].value.dtype, call.attrs["pad_value"].value.value), (dtype, value))
        with self.assertRaisesRegex(tvm.error.DiagnosticError, "pads with"):
            tvm.script.from_source(text.format("int8", "1.5"))


if __name__ == "__main__":
    tap.main()
