"""What is said of a refused program or step: findings for a renderer, the program with the statements at fault, the dialect's names."""
import re
import unittest

import tap
import tvm
from tvm import te, tir
from tvm.ir.diagnostics import override_renderer
from tvm.script import from_source, tir as T


@T.prim_func
def two_nests(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (16, 8))
    C = T.alloc_buffer((16, 8))
    B = T.match_buffer(b, (16, 8))
    for i in range(16):
        for k in range(8):
            with T.block("C"):
                vi, vk = T.axis.remap("SS", [i, k])
                C[vi, vk] = A[vi, vk] + 1.0
        for k in range(8):
            with T.block("B"):
                vi, vk = T.axis.remap("SS", [i, k])
                B[vi, vk] = C[vi, vk] * 2.0


class Findings(unittest.TestCase):
    def found(self, text):
        seen = []
        override_renderer(lambda ctx: seen.extend(ctx.diagnostics))
        try:
            with self.assertRaises(tvm.error.DiagnosticError):
                from_source(text)
        finally:
            override_renderer(None)
        self.assertEqual(len(seen), 1)
        return seen[0]

    def test_the_first_error_goes_to_the_renderer(self):
        finding = self.found("@T.prim_func\ndef f(a: T.handle):\n    A = T.match_buffer(a, (8,))\n    B[0] = 1.0\n    D[0] = 2.0\n")
        self.assertEqual((finding.span.line, finding.level.name), (4, "ERROR"))
        self.assertIn("`B`", finding.message)

    def test_a_dimension_is_a_name(self):
        self.assertEqual(self.found('@T.prim_func\ndef f():\n    A = T.alloc_buffer("(4, 4)", "float32")\n').span.line, 3)

    def test_a_region_fits_its_buffer(self):
        text = ('@T.prim_func\ndef f(A: T.Buffer((8, 8), "float32")):\n    for i, j in T.grid(8, 2):\n        with T.block("b"):\n'
                '            vi, vj = T.axis.remap("SS", [i, j])\n            S = T.match_buffer(A[vi, vj * 4:vj * 4 + 4], ({}))\n            S[{}] = 1.0\n')
        for shape, index in (("4,", "0"), ("1, 4", "0, 0")):
            from_source(text.format(shape, index))
        for shape, index in (("5,", "0"), ("2, 4", "0, 0"), ("1, 1, 4", "0, 0, 0")):
            self.assertEqual(self.found(text.format(shape, index)).span.line, 6)


class Steps(unittest.TestCase):
    def test_statements_at_fault(self):
        sch = tir.Schedule(two_nests)
        i, k = sch.get_loops(sch.get_block("B"))
        with self.assertRaises(tir.ScheduleError) as raised:
            sch.fuse(k, i)
        self.assertIn("            # tir.For#1\n            for i in range(16):\n            ^^^^^^^^^^^^^^^^^^^\n", str(raised.exception))
        with self.assertRaises(tir.ScheduleError) as raised:
            sch.compute_inline(sch.get_block("root"))
        self.assertIn('        # tir.Block#0\n        with T.block("root"):\n        ^^^^^^^^^^^^^^^^^^^^^\n', str(raised.exception))


class Texts(unittest.TestCase):
    def test_addresses(self):
        plain, told = two_nests.script(), two_nests.script(show_object_address=True)
        self.assertIn("vi_0x", told)
        self.assertEqual(re.sub("_0x[0-9a-f]+", "", told), plain)

    def test_prefixes_are_names(self):
        with self.assertRaises(RuntimeError):
            two_nests.script(tir_prefix="2T")

    def test_an_annotated_binding_shows_its_scope(self):
        @T.prim_func
        def f(n: T.int32):
            x = n + 1
            y = x * 2
            T.evaluate(y)

        text = f.script(obj_to_annotate={f.body.body: "here"})
        self.assertTrue(text.endswith("    x: T.int32 = n + 1\n    # here\n    with T.LetStmt(x * 2) as y:\n        T.evaluate(y)"), text)

    def test_types_of_masks(self):
        self.assertEqual(tir.Broadcast(tir.const(True, "bool"), 4).dtype, "uint1x4")

    def test_slices_of_scalable_length(self):
        @T.prim_func
        def f(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
            B[0:T.vscale() * 4] = A[0:T.vscale() * 4]

        self.assertEqual(f.body.indices[0].dtype, "int32xvscalex4")
        self.assertIn("B[0:T.vscale() * 4] = A[0:T.vscale() * 4]", f.script())

    def test_names_by_getattr(self):
        name = "int64"

        @T.prim_func
        def f():
            T.evaluate(getattr(T, name)(7))

        self.assertIn("T.evaluate(T.int64(7))", f.script())


class Stages(unittest.TestCase):
    def test_scan(self):
        n = te.var("n")
        x, s = te.placeholder((8, n), name="x"), te.placeholder((8, n), name="s")
        y = te.scan(te.compute((1, n), lambda _, i: x[0, i]), te.compute((8, n), lambda t, i: s[t - 1, i] + x[t, i]), s, inputs=[x])
        self.assertEqual((y.shape[0], y.shape[1].name), (8, "n"))
        self.assertIsInstance(y.op, te.ScanOp)
        self.assertNotIsInstance(y.op, te.ExternOp)
        self.assertIsInstance(tvm.ir.load_json(tvm.ir.save_json(y.op)), te.ScanOp)
        self.assertEqual((int(y.op.scan_axis.dom.min), int(y.op.scan_axis.dom.extent)), (1, 7))
        self.assertTrue(y.op.scan_axis.same_as(y.op.scan_axis))
        self.assertEqual([len(part) for part in (y.op.init, y.op.update, y.op.state_placeholder)], [1, 1, 1])
        self.assertEqual(y.op.state_placeholder[0], s)
        self.assertFalse(hasattr(x.op, "scan_axis"))
        with self.assertRaisesRegex(TypeError, "ScanOp"):
            te.create_prim_func([x, y])

    def test_reductions_over_extents_of_each_other(self):
        x = te.placeholder((4, 4, 4), "float32", "x")

        def total(i):
            r = te.reduce_axis(tvm.ir.Range(0, i))
            s = te.reduce_axis(tvm.ir.Range(0, r))
            return te.sum(x[i, r, s], [r, s])

        text = te.create_prim_func([x, te.compute((4,), total, name="y")]).script()
        self.assertEqual(text.count("with T.block(\"y"), 3)
        self.assertEqual(text.count("with T.init():"), 1)

    def test_pooling_of_split_channels(self):
        from tvm import topi

        x = te.placeholder((1, 2, 6, 6, 4), "float32", "x")
        y = topi.nn.adaptive_pool(x, [1, 1], "avg", "NCHW4c")
        self.assertEqual([int(n) for n in y.shape], [1, 2, 1, 1, 4])


if __name__ == "__main__":
    tap.main()
