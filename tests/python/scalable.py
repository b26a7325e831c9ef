"""Vectors whose length is known only when they run: masks in the place of conditions, and code for ARM's SVE and RISC-V's V."""
import re
import unittest

import tap
import tvm
from tvm import te, tir
from tvm.script import ir as I, tir as T

SVE = "llvm -mtriple=aarch64-linux-gnu -mattr=+sve"
RVV = "llvm -mtriple=riscv64-linux-gnu -mcpu=generic-rv64 -mattr=+64bit,+a,+c,+d,+f,+m,+v"
ASKED = {"tir.enable_buffer_level_predication": True}


def vectorized(func, config=None, target=None):
    mod = tvm.IRModule.from_expr(func.with_attr("global_symbol", "main"))
    with tvm.transform.PassContext(config=config or {}):
        if target is None:
            return tir.transform.VectorizeLoop()(mod)["main"]
        with tvm.target.Target(target):
            return tir.transform.VectorizeLoop()(mod)["main"]


@T.prim_func
def rows_of_four(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0 in range(4):
        for i1 in T.vectorized(4):
            if i0 * 4 + i1 < 14:
                B[i0 * 4 + i1] = A[i0 * 4 + i1] + 1.0


@T.prim_func
def rows_of_four_masked(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0 in range(4):
        B.vstore([T.Ramp(i0 * 4, 1, 4)],
                 A.vload([T.Ramp(i0 * 4, 1, 4)], predicate=T.get_active_lane_mask("uint1x4", i0 * 4, 14)) + T.Broadcast(T.float32(1.0), 4),
                 predicate=T.get_active_lane_mask("uint1x4", i0 * 4, 14))


@T.prim_func
def rows_of_any(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i0 in range(T.ceildiv(16, 4 * T.vscale())):
        for i1 in T.vectorized(4 * T.vscale()):
            if i0 * 4 * T.vscale() + i1 < 14:
                B[i0 * 4 * T.vscale() + i1] = A[i0 * 4 * T.vscale() + i1] + 1.0


class Masks(unittest.TestCase):
    def test_where_asked_for(self):
        tvm.ir.assert_structural_equal(vectorized(rows_of_four, ASKED), rows_of_four_masked.with_attr("global_symbol", "main"))
        self.assertNotIn("vload", vectorized(rows_of_four).script())

    def test_where_the_target_has_such_vectors(self):
        self.assertIn('T.get_active_lane_mask("uint1xvscalex4"', vectorized(rows_of_any, target=SVE).script())
        self.assertNotIn("get_active_lane_mask", vectorized(rows_of_any, {"tir.enable_buffer_level_predication": False}, SVE).script())
        attr = rows_of_any.with_attr("target", tvm.target.Target(SVE))
        self.assertIn("get_active_lane_mask", vectorized(attr).script())

    def test_where_a_part_of_the_program_has_such_a_target(self):
        @T.prim_func
        def part(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
            with T.attr(T.target(SVE), "target", 0):
                for i0 in range(T.ceildiv(16, 4 * T.vscale())):
                    for i1 in T.vectorized(4 * T.vscale()):
                        if i0 * 4 * T.vscale() + i1 < 14:
                            B[i0 * 4 * T.vscale() + i1] = A[i0 * 4 * T.vscale() + i1]

        self.assertIn("get_active_lane_mask", vectorized(part).script())

    def test_without_a_target_there_are_none(self):
        with self.assertRaisesRegex(tvm.error.InternalError, r"for target \(nullptr\)"):
            vectorized(rows_of_any)

    def test_accesses_elsewhere_stay_behind_the_condition(self):
        @T.prim_func
        def shifted(A: T.Buffer((20,), "float32"), B: T.Buffer((16,), "float32")):
            for i0 in range(4):
                for i1 in T.vectorized(4):
                    if i0 * 4 + i1 < 14:
                        B[i0 * 4 + i1] = A[i0 * 4 + i1 + 3]

        @T.prim_func
        def other(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
            for i0 in range(4):
                for i1 in T.vectorized(4):
                    if i0 * 4 + i1 >= 3:
                        B[i0 * 4 + i1] = A[i0 * 4 + i1]

        @T.prim_func
        def two_ways(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
            for i0 in range(4):
                for i1 in T.vectorized(4):
                    if i0 * 4 + i1 < 14:
                        B[i0 * 4 + i1] = A[i0 * 4 + i1]
                    else:
                        B[i0 * 4 + i1] = 0.0

        for func in (shifted, other, two_ways):
            text = vectorized(func, ASKED).script()
            self.assertNotIn("predicate", text)
            self.assertIn("if ", text)

    def test_they_compute_the_same(self):
        import numpy as np

        a, b = tvm.nd.array(np.arange(16, dtype="float32")), tvm.nd.array(np.full(16, -1, "float32"))
        tvm.build(tvm.IRModule({"main": vectorized(rows_of_four, ASKED)}), target="llvm")["main"](a, b)
        self.assertEqual(list(b.numpy()), [float(i + 1) for i in range(14)] + [-1.0, -1.0])


class Elements(unittest.TestCase):
    """Buffers whose elements are vectors."""

    def test_stored_and_loaded_by_vectors(self):
        @T.prim_func
        def copy(A: T.Buffer((4,), "float32x4"), B: T.Buffer((4,), "float32x4")):
            for i in T.vectorized(4):
                B[i] = A[i] * T.Broadcast(T.float32(2.0), 4)

        import numpy as np

        after = vectorized(copy)
        self.assertIsInstance(after.body.indices[0], tir.Ramp)
        self.assertEqual(after.body.value.dtype, "float32x16")
        built = tvm.build(tvm.IRModule({"main": after}), target="llvm")
        a, b = tvm.nd.empty((4,), "float32x4"), tvm.nd.empty((4,), "float32x4")
        a.copyfrom(np.arange(16, dtype="float32").reshape(4, 4))
        built["main"](a, b)
        self.assertEqual(list(b.numpy().reshape(-1)), [2.0 * i for i in range(16)])

    def test_a_constant_is_spread(self):
        @T.prim_func
        def fill(A: T.Buffer((4,), "float32x4")):
            for i in T.vectorized(4):
                A[i] = T.Broadcast(T.float32(1.0), 4)

        after = vectorized(fill)
        self.assertIsInstance(after.body.value, tir.Broadcast)
        self.assertEqual(after.body.value.dtype, "float32x16")


class Functions(unittest.TestCase):
    """Functions of LLVM in vectorised loops."""

    def test_they_compute_vectors(self):
        @T.prim_func
        def roots(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
            for i in T.vectorized(4):
                A[i] = T.call_llvm_pure_intrin("float32", "llvm.sqrt", T.uint32(1), B[i])

        @T.prim_func
        def after(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
            A[0:4] = T.call_llvm_pure_intrin("float32x4", "llvm.sqrt", T.uint32(1), B[0:4])

        tvm.ir.assert_structural_equal(vectorized(roots), after.with_attr("global_symbol", "main"))
        self.assertIn("@llvm.sqrt.v4f32", tir.build(roots, "llvm").get_source("ll"))


class Code(unittest.TestCase):
    def text(self, func, target, form="ll"):
        with tvm.target.Target(target):
            return tir.build(func).get_source(form)

    def test_their_length(self):
        @T.prim_func
        def main(A: T.Buffer((5,), "int32")):
            for i in range(5):
                A[i] = 2 * T.vscale()

        for target in (SVE, RVV):
            self.assertIn("llvm.vscale.i32", self.text(main, target))
        with self.assertRaisesRegex(tvm.TVMError, "vectors that the target does not have"):
            tir.build(main, "llvm")(tvm.nd.empty((5,), "int32"))

    def test_loads_stores_and_one_value_in_all_lanes(self):
        @T.prim_func
        def copy(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
            B[T.ramp(0, 1, 4 * T.vscale())] = A[T.ramp(0, 1, 4 * T.vscale())]

        @T.prim_func
        def fill(A: T.Buffer((128,), "float32")):
            A[T.ramp(0, 1, 4 * T.vscale())] = T.broadcast(1, 4 * T.vscale())

        for target in (SVE, RVV):
            text = self.text(copy, target)
            self.assertRegex(text, r"load <vscale x 4 x float>")
            self.assertRegex(text, r" store <vscale x 4 x float>")
            self.assertRegex(self.text(fill, target), r" store <vscale x 4 x float>")
        with self.assertRaisesRegex(tvm.TVMError, "no vectors whose length is known only when they run"):
            tir.build(copy, "llvm")(tvm.nd.empty((128,)), tvm.nd.empty((128,)))

    def test_functions(self):
        @T.prim_func
        def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
            B[T.ramp(0, 1, 4 * T.vscale())] = T.exp(A[T.ramp(0, 1, 4 * T.vscale())])
            C[T.ramp(0, 1, 4 * T.vscale())] = T.rsqrt(A[T.ramp(0, 1, 4 * T.vscale())])

        @T.prim_func
        def sine(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
            B[T.ramp(0, 1, 4 * T.vscale())] = T.sin(A[T.ramp(0, 1, 4 * T.vscale())])

        for target in (SVE, RVV):
            text = self.text(main, target)
            self.assertIn("fpext <vscale x 4 x float>", text)
            self.assertIn("llvm.sqrt.nxv4f32", text)
            self.assertNotIn("expf", text)
            with self.assertRaisesRegex(tvm.TVMError, "sin cannot be computed of vectors whose length"):
                self.text(sine, target)

    def test_masks(self):
        @T.prim_func
        def mask(A: T.Buffer((30,), "int1")):
            for i in range(T.ceildiv(30, T.vscale() * 4)):
                A[i:i + T.vscale() * 4] = T.get_active_lane_mask("uint1xvscalex4", i, 30)

        for target in (SVE, RVV):
            self.assertIn("get.active.lane.mask", self.text(mask, target))
            text = self.text(rows_of_any, target)
            for part in ("get.active.lane.mask", "llvm.masked.load", "llvm.masked.store"):
                self.assertIn(part, text)

    def test_what_would_be_done_lane_by_lane_is_refused(self):
        @T.prim_func
        def every_other(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
            B[T.ramp(0, 1, 4 * T.vscale())] = A[T.ramp(0, 2, 4 * T.vscale())]

        @T.prim_func
        def sines(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
            B[T.ramp(0, 1, 4 * T.vscale())] = T.sin(A[T.ramp(0, 1, 4 * T.vscale())])

        for func in (every_other, sines):
            with self.assertRaisesRegex(tvm.TVMError, "known only when"):
                with tvm.target.Target(SVE):
                    tir.build(func)(tvm.nd.empty((128,)), tvm.nd.empty((128,)))

    def test_loops_become_such_vectors(self):
        for dtype in ("float32", "uint32", "int64"):
            m = te.var("m")
            a, b = te.placeholder((m,), dtype, "A"), te.placeholder((m,), dtype, "B")
            for op, instruction in ((lambda i: te.div(a[i], b[i]), r"div\tz"), (lambda i: a[i] * b[i], r"mul\tz")):
                text = self.text(te.create_prim_func([a, b, te.compute((m,), op, name="C")]), SVE, "asm")
                self.assertRegex(text, "ld1[wd]\t{ z")
                self.assertRegex(text, instruction)

    def test_how_long_they_are_on_arm(self):
        m = te.var("m")
        a = te.placeholder((m,), "float32", "A")
        func = te.create_prim_func([a, te.compute((m,), lambda i: a[i] + 1, name="C")])
        for attribute, known in (("+neon", False), ("+sve", True), ("+v9a", True), ("+sme", True)):
            found = re.findall(r"vscale_range\(1,16\)", self.text(func, f"llvm -mtriple=aarch64-linux-gnu -mattr={attribute}"))
            self.assertEqual(bool(found), known, attribute)


class Pipelines(unittest.TestCase):
    def test_a_module_is_written_as_its_pipeline_made_it(self):
        @tvm.transform.module_pass(opt_level=0)
        def double(mod, ctx):
            func = mod["main"]

            def change(node):
                return tir.FloatImm("float32", 42.0) if isinstance(node, tir.FloatImm) else None

            body = tir.stmt_functor.ir_transform(func.body, None, change, ["tir.FloatImm"])
            return tvm.IRModule({"main": func.with_body(body)})

        @T.prim_func
        def main(A: T.Buffer((1,), "float32")):
            A[0] = T.float32(17.0)

        self.assertIn("4.200000e+01", tir.build(main, "llvm", double).get_source("ll"))


class Calls(unittest.TestCase):
    def test_of_functions_seen_from_outside(self):
        @I.ir_module
        class Before:
            @T.prim_func
            def main(A: T.Buffer((1,), "float32")):
                T.func_attr({"target": T.target("llvm", host="llvm")})
                Before.inner(A.data)

            @T.prim_func
            def inner(data: T.handle("float32")):
                T.func_attr({"target": T.target("llvm", host="llvm")})
                T.evaluate(data)

        after = tir.transform.MakeUnpackedAPI()(Before)
        found = []
        tir.stmt_functor.post_order_visit(after["main"].body, lambda n: found.append(n) if isinstance(n, tir.Call) and isinstance(n.op, tvm.ir.GlobalVar) else None)
        self.assertEqual([call.dtype for call in found], ["int32"])



class Refusals(unittest.TestCase):
    def test_vectors_of_vectors(self):
        @T.prim_func
        def elements(A: T.Buffer((8,), "int32xvscalex4")):
            for i in T.vectorized(8):
                A[i] = T.Broadcast(3, T.vscale() * 4)

        @T.prim_func
        def stores(A: T.Buffer((64,), "int32")):
            for i in T.vectorized(8):
                A[T.Ramp(i * 4 * T.vscale(), 1, T.vscale() * 4)] = T.Broadcast(3, T.vscale() * 4)

        @T.prim_func
        def loops(A: T.Buffer((64,), "int32")):
            for i in T.vectorized(T.vscale() * 4):
                A[T.Ramp(i * 2, 1, 2)] = T.Broadcast(3, 2)

        sentences = {elements: "Vectorizing over scalable buffer elements", stores: "Vectorizing over existing scalable vectors",
                     loops: "Creating scalable vectors from existing vectors"}
        for func, sentence in sentences.items():
            with tvm.target.Target("llvm -mtriple=aarch64-linux-gnu -mattr=+sve"), self.assertRaisesRegex(tvm.error.InternalError, sentence):
                tir.transform.VectorizeLoop()(tvm.IRModule.from_expr(func))


if __name__ == "__main__":
    tap.main()
