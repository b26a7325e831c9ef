"""Classes, conversion, containers, errors; how long the import takes."""
import subprocess
import sys
import unittest

import tap
import tvm
from tvm import tir
from programs import MatMulRelu


class Classes(unittest.TestCase):
    def test_types_are_printed_as_tvm_prints_them(self):
        self.assertEqual(str(type(MatMulRelu)), "<class 'tvm.ir.module.IRModule'>")
        self.assertEqual(str(type(MatMulRelu["main"])), "<class 'tvm.tir.function.PrimFunc'>")
        self.assertEqual(str(type(tir.Var("x", "int32"))), "<class 'tvm.tir.expr.Var'>")

    def test_every_kind_has_a_class(self):
        import _loopscope

        func = MatMulRelu["main"]
        kinds = []
        tir.stmt_functor.post_order_visit(func.body, lambda n: kinds.append(type(n)))
        self.assertNotIn(_loopscope.Node, kinds)
        self.assertIn(tir.BufferStore, kinds)

    def test_fields(self):
        block = MatMulRelu["main"].body.block
        self.assertEqual(block.name_hint, "root")
        self.assertEqual([b.name for b in block.alloc_buffers], ["Y"])
        self.assertEqual(block.alloc_buffers[0].shape[0], 16)
        with self.assertRaises(AttributeError):
            block.nothing

    def test_identity(self):
        func = MatMulRelu["main"]
        self.assertTrue(func.same_as(MatMulRelu["main"]))
        self.assertEqual(len({func, MatMulRelu["main"]}), 1)
        self.assertEqual(func, MatMulRelu["main"])


class Modules(unittest.TestCase):
    def test_functions(self):
        mod = tvm.IRModule({"f": MatMulRelu["main"]})
        self.assertEqual([v.name_hint for v in mod.get_global_vars()], ["f"])
        mod["g"] = MatMulRelu["main"]
        self.assertEqual(sorted(v.name_hint for v, _ in mod.functions.items()), ["f", "g"])
        with self.assertRaises(tvm.TVMError):
            mod["h"]

    def test_with_attr(self):
        func = MatMulRelu["main"].with_attr({"a": 1, "b": "text"})
        self.assertEqual(func.attrs["b"], "text")
        self.assertEqual(int(func.attrs["a"]), 1)
        self.assertNotIn("a", MatMulRelu["main"].attrs)

    def test_change_leaves_the_copy(self):
        mod = MatMulRelu.clone()
        mod.update_func(mod.get_global_var("main"), mod["main"].with_attr("x", 1))
        self.assertNotIn("x", MatMulRelu["main"].attrs)
        self.assertIn("x", mod["main"].attrs)

    def test_structural_equal(self):
        sch = tir.Schedule(MatMulRelu)
        tvm.ir.assert_structural_equal(MatMulRelu, sch.mod)
        sch.parallel(sch.get_loops(sch.get_block("C"))[0])
        with self.assertRaises(ValueError) as caught:
            tvm.ir.assert_structural_equal(MatMulRelu, sch.mod)
        self.assertIn("lhs at", str(caught.exception))


class Values(unittest.TestCase):
    def test_convert(self):
        self.assertEqual(tvm.runtime.convert(3).dtype, "int32")
        self.assertEqual(tvm.runtime.convert(1 << 40).dtype, "int64")
        self.assertEqual(tvm.runtime.convert(2.5).dtype, "float32")
        self.assertEqual(tvm.runtime.convert(True).dtype, "bool")
        self.assertEqual([int(x) for x in tvm.runtime.convert([1, 2])], [1, 2])
        self.assertEqual(tvm.runtime.convert({"k": [1, "x"]})["k"][1], "x")

    def test_wrong_values_raise(self):
        for make in (lambda: tir.For(1, 0, 1, 0, None), lambda: tir.Evaluate(object()), lambda: tir.SeqStmt([1]),
                     lambda: tir.BlockRealize([], True, tir.Evaluate(0)), lambda: tir.IterVar(None, None, 99),
                     lambda: tir.BufferStore(tir.decl_buffer((2, 2)), 1.0, [0])):
            with self.assertRaises((TypeError, ValueError, tvm.TVMError)):
                make()


class Import(unittest.TestCase):
    def test_llvm_is_not_loaded(self):
        code = "import tvm, re; print(any('LLVM' in line for line in open('/proc/self/maps')))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip(), "False")

    def test_large_parts_are_loaded_when_they_are_asked_for(self):
        """Half of what `import tvm` costs was modules that nobody had asked for: a pass list of meta_schedule, R asked for a name, importlib.abc."""
        large = ["tvm.relax", "tvm.te", "tvm.topi", "tvm.meta_schedule", "tvm.dlight", "tvm.contrib", "tvm.testing", "numpy", "logging", "inspect", "tempfile",
                 "pathlib", "importlib.resources", "dataclasses", "subprocess"]
        code = f"import sys; before = set(sys.modules); import tvm; print([name for name in {large} if name in sys.modules and name not in before])"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip(), "[]")
        code = """import tvm
from tvm.script import relax as R, parser
print(R.add is tvm.relax.op.add, parser.relax is R, R.entry is R, tvm.relax.BlockBuilder.__name__, len(tvm.tir.analysis.get_vtcm_compaction_passes()) > 5)"""
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(),
                         ["True", "True", "True", "BlockBuilder", "True"])

    def test_nodes_of_parts_that_are_not_loaded_have_their_class(self):
        """As soon as there is one: a constant's array is a tensor of Relax."""
        code = """import sys, tvm
before = "tvm.relax" in sys.modules
text = "# from tvm.script import tir as T\\n@T.prim_func\\ndef f(A: T.Buffer((2,), 'float32')):\\n    c = T.allocate_const([1.0, 2.0], 'float32', [2])\\n    A[0] = A[1]\\n"
const = tvm.script.from_source(text).body
print(before, const.data.numpy().tolist())"""
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip(), "False [1.0, 2.0]")


if __name__ == "__main__":
    tap.main()
