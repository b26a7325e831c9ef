"""tir.Schedule: primitives from the table, handles, errors, traces."""
import inspect
import unittest

import tap
import tvm
from tvm import tir
from tvm.script import tir as T
from tvm.tir.schedule import BlockRV, Instruction, InstructionKind, LoopRV, Trace
from tvm.tir.schedule.testing import assert_structural_equal_ignore_global_symbol, verify_trace_roundtrip
from programs import MatMulRelu


class Primitives(unittest.TestCase):
    def test_signatures(self):
        self.assertEqual(str(inspect.signature(tir.Schedule.split)),
                         "(self, loop, factors, preserve_unit_iters=True, disable_predication=False)")
        self.assertTrue(tir.Schedule.split.__doc__)

    def test_keywords_and_names(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops(block="Y")
        j0, j1 = sch.split(loop=j, factors=[None, 4])
        sch.reorder(i, j0, k, j1)
        sch.reverse_compute_at("C", j0)
        self.assertEqual(len(sch.get_loops("C")), 3)
        self.assertIn("j_0", sch.mod.script())

    def test_class_of_results(self):
        sch = tir.Schedule(MatMulRelu["main"])
        block = sch.get_block("Y")
        loop = sch.get_loops(block)[0]
        self.assertIsInstance(block, tir.schedule.BlockRV)
        self.assertIsInstance(loop, tir.schedule.LoopRV)
        factor = sch.sample_perfect_tile(loop, n=2)[0]
        self.assertEqual(str(type(factor)), "<class 'tvm.tir.expr.Var'>")
        self.assertEqual(int(sch.get(factor)) * int(sch.get(sch.sample_perfect_tile(loop, n=2, decision=[int(sch.get(factor)), 16 // int(sch.get(factor))])[1])), 16)

    def test_dead_handle(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        sch.split(j, [None, 4])
        with self.assertRaises(tir.ScheduleError):
            sch.split(j, [None, 4])
        with self.assertRaises(IndexError):
            sch.get(j)

    def test_refused_leaves_the_program(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        before = sch.mod
        with self.assertRaises(tir.ScheduleError):
            sch.parallel(k)
        tvm.ir.assert_structural_equal(before, sch.mod)

    def test_wrong_types(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        for call in (lambda: sch.split(sch.get_block("Y"), [None, 4]), lambda: sch.get_loops(i), lambda: sch.split(i, "4"),
                     lambda: sch.reorder(1, 2), lambda: sch.fuse("i", "j"), lambda: sch.split(i, [None, 1.5])):
            with self.assertRaises((TypeError, tir.ScheduleError)):
                call()

    def test_copy_and_get(self):
        sch = tir.Schedule(MatMulRelu)
        other = sch.copy()
        other.parallel(other.get_loops("C")[0])
        self.assertNotIn("parallel", sch.mod.script())
        block = sch.get_block("C")
        self.assertEqual(sch.get(block).name_hint, "C")
        self.assertEqual(sch.get_sref(block).parent.stmt.loop_var.name, "j")

    def test_trace(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        sch.split(i, [None, 4])
        self.assertIn('b0 = sch.get_block(name="Y"', str(sch.trace))
        fresh = tir.Schedule(MatMulRelu)
        sch.trace.apply_to_schedule(fresh, remove_postproc=False)
        tvm.ir.assert_structural_equal(fresh.mod, sch.mod)
        self.assertEqual(len(sch.trace.insts), 3)

    def test_layout(self):
        sch = tir.Schedule(MatMulRelu)
        sch.transform_layout("Y", ("write", 0), lambda i, j: (i // 4, j, i % 4))
        self.assertIn("(4, 24, 4)", sch.mod.script())
        sch.transform_layout("Y", "A", lambda *i: list(reversed(i)))
        self.assertIn("(8, 16)", sch.mod.script())


@T.prim_func
def padded(a: T.handle):
    A = T.match_buffer(a, (14,), "int32")
    for i in T.serial(14):
        with T.block("block"):
            A[i] = 42


@T.prim_func
def padded_separated(a: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", axis_separators=[1])
    for i, j in T.grid(4, 4):
        with T.block("block"):
            A[i, j] = T.if_then_else(i == 3 and 2 <= j, 0, 42)


@T.prim_func
def padded_read(A: T.Buffer((14,), "float32"), D: T.Buffer((16,), "float32"), C: T.Buffer((14,), "float32")):
    B = T.alloc_buffer((14,))
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            B[vi] = A[vi]
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            C[vi] = B[vi] + D[vi]


@T.prim_func
def chain(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


class HandMade(unittest.TestCase):
    """Traces that no schedule made, layouts with separators and drawn numbers, what errors say."""

    def instruction(self, kind, inputs, attrs, outputs):
        return Instruction(kind=InstructionKind.get(kind), inputs=inputs, attrs=attrs, outputs=outputs)

    def test_trace(self):
        block, loops = BlockRV(), [LoopRV(), LoopRV()]
        trace = Trace([self.instruction("GetBlock", [], ["B", "main"], [block]), self.instruction("GetLoops", [block], [], loops)], {})
        self.assertEqual(trace.as_python(), ['b0 = sch.get_block(name="B", func_name="main")', "l1, l2 = sch.get_loops(block=b0)"])
        trace.append(self.instruction("Annotate", [block, '"'], ["key"], []))
        schedule = tvm.tir.Schedule(chain)
        trace.apply_to_schedule(schedule, remove_postproc=False)
        self.assertEqual(schedule.get(schedule.get_block("B")).annotations["key"], '"')
        self.assertTrue(trace.pop().kind.same_as(InstructionKind.get("Annotate")))
        self.assertEqual(str(trace.insts[1]), "_, _ = sch.get_loops(block=_)")
        trace.pop(), trace.pop()
        self.assertIsNone(trace.pop())
        self.assertEqual(trace.as_python(), ["pass"])

    def test_places_of_two_schedules(self):
        one = tvm.tir.Schedule(chain)
        block = one.get_block("B")
        two = one.copy()
        self.assertFalse(one.get_sref(block).same_as(two.get_sref(block)))
        self.assertTrue(one.get_sref(block).stmt.same_as(two.get_sref(block).stmt))
        one.remove_rv(block)
        self.assertRaises(IndexError, one.get, block)
        self.assertEqual(two.get(block).name_hint, "B")

    def test_separators(self):
        schedule = tvm.tir.Schedule(padded)
        schedule.transform_layout("block", "A", lambda i: [i // 4, tvm.tir.IndexMap.AXIS_SEPARATOR, i % 4], pad_value=0)
        assert_structural_equal_ignore_global_symbol(schedule.mod["main"], padded_separated)
        self.assertRaises(AssertionError, schedule.set_axis_separator, "block", ("write", 1), [1])

    def test_pad_value_of_another_buffer(self):
        schedule = tvm.tir.Schedule(padded_read)
        other = list(padded_read.buffer_map.values())[1]
        with self.assertRaises(tvm.tir.ScheduleError) as caught:
            schedule.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=lambda i, j: other[i])
        self.assertIn("schedule/transform_layout/pad-load", caught.exception.args[0])

    def test_drawn_numbers(self):
        schedule = tvm.tir.Schedule(chain)
        block = schedule.get_block("B")
        _, inner = schedule.sample_perfect_tile(schedule.get_loops(block)[1], 2, decision=[4, 8])
        schedule.transform_layout(block, ("write", 0), lambda i, j: (i, j // inner, j % inner))
        self.assertEqual([int(x) for x in schedule.get(block).writes[0].buffer.shape], [32, 4, 8])
        verify_trace_roundtrip(schedule, chain, text_format="json")

    def test_errors(self):
        for level, text in (("detail", "Cannot find a block with the name: X"), ("fast", "specified name"), ("none", "(not rendered)")):
            with self.assertRaises(tvm.tir.ScheduleError) as caught:
                tvm.tir.Schedule(chain, error_render_level=level).get_block("X")
            self.assertIn(text, caught.exception.args[0])

    def test_intrinsics(self):
        from tvm.tir.tensor_intrin.x86 import VNNI_DOT_16x4_INTRIN

        self.assertEqual(len(tvm.tir.TensorIntrin.get(VNNI_DOT_16x4_INTRIN).desc.params), 3)
        self.assertIsNone(tvm.tir.TensorIntrin.get("no_such", allow_missing=True))


if __name__ == "__main__":
    tap.main()
