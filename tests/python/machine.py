"""The virtual machine from Python: functions of Python, closures, what does not fit; changes of dataflow blocks; names of TVM's tests."""
import os
import tempfile
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.relax.testing.vm import check_saved_func
from tvm.script import ir as I, relax as R, tir as T


def machine(mod):
    return relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu())


def array(*values, dtype="float32"):
    return tvm.nd.array(np.array(values, dtype))


class Calls(unittest.TestCase):
    def test_python_gives_arrays(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
                z = R.call_pure_packed("test.vm.add", x, y, sinfo_args=R.Tensor((2,), "float32"))
                return R.call_pure_packed("test.vm.move", z, sinfo_args=R.Tensor((2,), "float32"))

        self.assertEqual(machine(Module)["main"](array(1, 2), array(3, 4)).numpy().tolist(), [4, 6])

    def test_closures_take_their_last_arguments(self):
        @I.ir_module
        class Module:
            @R.function
            def less(x: R.Tensor((1,), "float32"), y: R.Tensor((1,), "float32")):
                return R.subtract(x, y)

            @R.function
            def main(x: R.Tensor((1,), "float32"), y: R.Tensor((1,), "float32")):
                f = R.make_closure(Module.less, (x,))
                return R.invoke_pure_closure(f, (y,), sinfo_args=R.Tensor((1,), "float32"))

        self.assertEqual(check_saved_func(machine(Module), "main", array(1), array(5)).numpy()[0], 4)

    def test_what_does_not_fit(self):
        @I.ir_module
        class Module:
            @R.function
            def cast(x: R.Tensor(dtype="float32")) -> R.Shape:
                n, m = T.int64(), T.int64()
                _ = R.match_cast(x, R.Tensor((n, m), "float32"))
                return R.shape([n * 2, m])

            @R.function
            def back(x: R.Tensor(("n", "m"), "int32"), y: R.Object) -> R.Tensor(("m", "n"), dtype=None):
                return y

        vm = machine(Module)
        self.assertEqual(list(vm["cast"](array([1, 2, 3]))), [2, 3])
        for args, error, text in (((array([1], dtype="int32"),), ValueError, "dtype"), ((array(1),), ValueError, "match_cast.*ndim"), (([],), TypeError, "tensor")):
            with self.assertRaisesRegex(error, text):
                vm["cast"](*args)
        vm["back"](array([1, 2], dtype="int32"), array([1], [2]))
        with self.assertRaisesRegex(RuntimeError, "return"):
            vm["back"](array([1, 2], dtype="int32"), array([1, 2]))

    def test_inputs_that_are_set(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((1,), "float32"), y: R.Tensor((1,), "float32")):
                return R.subtract(x, y)

        vm = machine(Module)
        vm.set_input("main", y=array(1), x=array(3))
        vm.invoke_stateful("main")
        self.assertEqual(vm.get_outputs("main").numpy()[0], 2)
        for wrong in (lambda: vm.set_input("main", array(1)), lambda: vm.set_input("other", array(1)), lambda: vm.invoke_stateful("other")):
            with self.assertRaises(tvm.TVMError):
                wrong()

    def test_an_executable_is_loaded(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((1,), "float32")):
                return R.add(x, x)

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.so")
            relax.build(Module, "llvm").export_library(path)
            self.assertEqual(relax.VirtualMachine(tvm.runtime.load_module(path), tvm.cpu())["main"](array(4)).numpy()[0], 8)

    def test_results_in_place_are_the_arguments(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def twice(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
                for i in range(2):
                    with T.block("A"):
                        v = T.axis.spatial(2, i)
                        B[v] = A[v]
                        A[v] = A[v] * T.float32(2)

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                return R.call_tir_inplace(Module.twice, (x,), [0, -1], [R.Tensor((2,), "float32"), R.Tensor((2,), "float32")])

        x = array(1, 2)
        first, second = machine(Module)["main"](x)
        self.assertTrue(first == x and second != x)
        self.assertEqual(x.numpy().tolist(), [2, 4])


class Rewrites(unittest.TestCase):
    def test_blocks(self):
        from tvm.relax.binding_rewrite import DataflowBlockRewrite

        @R.function
        def main(x: R.Tensor((2,), "float32")):
            with R.dataflow():
                a = R.exp(x)
                b = R.abs(x)
                c = R.add(a, a)
                R.output(c)
            return c

        block = main.body.blocks[0]
        a, b, c = [binding.var for binding in block.bindings]
        rewrite = DataflowBlockRewrite(block, main)
        with self.assertRaises(tvm.TVMError):
            rewrite.remove_unused(a)
        rewrite.replace_all_uses(a, b)
        rewrite.remove_unused(a)
        rewrite.add(x := main.params[0], "d", True)
        self.assertEqual([binding.var.name_hint for binding in rewrite.mutated_dfb().bindings], ["b", "c", "d"])
        self.assertEqual(len(main.body.blocks[0].bindings), 3)
        rewrite.remove_all_unused()
        self.assertEqual([binding.var.name_hint for binding in rewrite.mutated_dfb().bindings], ["b", "c"])
        self.assertIsNotNone(x)
        self.assertIsNotNone(c)

    def test_the_body_may_say_more_than_the_arrow(self):
        @R.function
        def main(x: R.Tensor((2,), "float32")) -> R.Tensor:
            return x

        self.assertEqual(main.ret_struct_info, relax.TensorStructInfo((2,), "float32"))


class Rules(unittest.TestCase):
    def test_rules_of_python_come_first(self):
        from tvm import topi

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
                z = R.subtract(x, y)
                return R.nn.relu(z)

        swapped = relax.transform.LegalizeOps({"relax.subtract": lambda bb, call: bb.call_te(topi.subtract, call.args[1], call.args[0])})(Module)
        self.assertIn("R.call_tir(cls.subtract, (y, x)", swapped.script())
        inner = relax.transform.LegalizeOps({"relax.nn.relu": lambda bb, call: bb.emit(relax.op.abs(call.args[0]))})(Module)
        self.assertNotIn("R.abs", inner.script())
        self.assertNotIn("relu", inner.script())

    def test_products_have_types(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2, 3)), y: R.Tensor((3, 2))):
                return R.matmul(x, y)

        with self.assertRaisesRegex(AssertionError, "To legalize R.matmul"):
            relax.transform.LegalizeOps()(Module)


class Names(unittest.TestCase):
    def test_paths(self):
        from tvm.runtime import ObjectPath

        path = ObjectPath.root().attr("body").array_index(1)
        self.assertEqual(str(path), "<root>.body[1]")
        self.assertTrue(path.parent.is_prefix_of(path))
        self.assertEqual(path, ObjectPath.root().attr("body").array_index(1))

    def test_supplies(self):
        from tvm.ir.supply import GlobalVarSupply, NameSupply

        names = NameSupply("p")
        self.assertEqual([names.fresh_name("a"), names.fresh_name("a")], ["p_a", "p_a_1"])
        supply = GlobalVarSupply(names)
        self.assertTrue(supply.unique_global_for("f").same_as(supply.unique_global_for("f")))

    def test_pipelines(self):
        self.assertIsInstance(relax.get_pipeline("zero"), tvm.transform.Pass)
        with self.assertRaises(ValueError):
            relax.get_pipeline("nowhere")

    def test_processes(self):
        from tvm.contrib.popen_pool import PopenPoolExecutor, PopenWorker

        worker = PopenWorker()
        worker.send(pow, (2, 5))
        self.assertEqual(worker.recv(), 32)
        self.assertEqual(PopenPoolExecutor(max_workers=1).submit(pow, 3, 2).result(), 9)

    def test_models_emit_themselves(self):
        from tvm.relax.testing import nn

        bb = relax.BlockBuilder()
        with bb.function("main"):
            model = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
            x = nn.Placeholder((2, 4), name="x")
            bb.emit_func_output(model(x), params=[x, *model.parameters()])
        self.assertEqual(bb.get()["main"].ret_struct_info, relax.TensorStructInfo((2, 3), "float32"))


class Instruments(unittest.TestCase):
    def machine(self):
        from tvm import relax
        from tvm.script import ir as I, relax as R

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
                y = R.matmul(x, x)
                z = R.nn.relu(y)
                return z

        return relax.VirtualMachine(tvm.compile(Module, "llvm"), tvm.cpu())

    def test_calls_are_seen_and_skipped(self):
        from tvm import relax

        vm, seen = self.machine(), []

        def instrument(func, name, before_run, result, *args):
            self.assertTrue(callable(func))
            self.assertTrue(result is None or not before_run)
            if name in ("matmul", "relu"):
                seen.append((name, before_run, len(args)))
            return relax.VMInstrumentReturnKind.SKIP_RUN if name == "matmul" else None

        vm.set_instrument(instrument)
        vm["main"](tvm.nd.array(np.ones((4, 4), "float32")))
        self.assertEqual(seen, [("matmul", True, 3), ("relu", True, 2), ("relu", False, 2)])
        vm.set_instrument(None)
        np.testing.assert_allclose(vm["main"](tvm.nd.array(np.ones((4, 4), "float32"))).numpy(), np.full((4, 4), 4))
        self.assertEqual(len(seen), 3)

    def test_what_it_raises_ends_the_program(self):
        vm = self.machine()

        def instrument(func, name, *rest):
            raise KeyError(name)

        vm.set_instrument(instrument)
        with self.assertRaises(KeyError):
            vm["main"](tvm.nd.array(np.ones((4, 4), "float32")))


class Signatures(unittest.TestCase):
    def test_global_vars_tell_what_their_functions_are(self):
        @I.ir_module
        class Module:
            @R.function(private=True)
            def inner(a: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
                return R.add(a, a)

        inner = Module.get_global_var("inner")
        tvm.ir.assert_structural_equal(inner.struct_info, Module["inner"].struct_info)
        bb = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor((3,), "float32"))
        with bb.function("main", [x]):
            called = bb.emit(inner(x))
            tvm.ir.assert_structural_equal(called.struct_info, x.struct_info)
            made = bb.emit_func_output(called)
        self.assertEqual(len(made.struct_info.params), 1)
        self.assertEqual(tvm.ir.load_json(tvm.ir.save_json(made)).name_hint, "main")
        lone = relax.GlobalVar("lone")
        with self.assertRaisesRegex(ValueError, "not populated"):
            lone.struct_info
        relax.expr._update_struct_info(lone, relax.FuncStructInfo([], relax.ObjectStructInfo()))
        self.assertIsNotNone(lone.struct_info)

    def test_a_plain_sequence_ends_dataflow(self):
        bb = relax.BlockBuilder()
        a = relax.Var("a", relax.TensorStructInfo([], "int64"))
        with bb.function("func", [a]):
            bb.emit_func_output(bb.emit(relax.op.add(a, relax.const(2, "int64"))))
        func = bb.finalize()["func"]
        bb = relax.BlockBuilder()
        with bb.function("func", [], private=True):
            with bb.dataflow():
                own = bb.emit(relax.const(3, "int64"), "own")
                used = bb.emit(func.bind_params({a: own}).body)
                out = bb.emit_output(used)
            with self.assertRaisesRegex(tvm.TVMError, "Malformed AST.*own"):
                bb.emit_func_output(out)


if __name__ == "__main__":
    tap.main()
