"""tir.Schedule: primitives from the table, handles, errors, traces."""
import inspect
import unittest

import tap
import tvm
from tvm import tir
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


if __name__ == "__main__":
    tap.main()
