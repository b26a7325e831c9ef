"""Questions made of a trace: the answer stands in the words of the program, and what stands there is an answer that is accepted."""
import os
import sys
import unittest

import tap
from tvm import te, tir

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "app", "kernel"))
from loopscope_kernel import questions  # noqa: E402


def scheduled():
    """A schedule with steps of many shapes."""
    a, b = te.placeholder((64, 64), name="A"), te.placeholder((64, 64), name="B")
    r = te.reduce_axis((0, 64), "k")
    y = te.compute((64, 64), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="Y")
    schedule = tir.Schedule(te.create_prim_func([a, b, te.compute((64, 64), lambda i, j: te.max(y[i, j], 0.0), name="C")]))
    block = schedule.get_block("Y")
    i, j, k = schedule.get_loops(block)
    j0, j1 = schedule.split(j, [None, 4])
    schedule.reorder(j0, k, j1)
    schedule.reverse_compute_at(schedule.get_block("C"), j0)
    schedule.cache_read(block, 0, "local")
    schedule.split(i, schedule.sample_perfect_tile(i, 2))
    schedule.annotate(j1, "unroll_hint", 2)
    schedule.decompose_reduction(block, k)
    schedule.transform_layout(block, ("write", 0), lambda i, j: (j, i))
    schedule.storage_align(schedule.get_block("A_local"), 0, axis=-2, factor=16, offset=4)
    return schedule


class Primitives(unittest.TestCase):
    names = {"sch": scheduled()}
    steps = len(questions.changing_steps(names["sch"]))

    def test_what_is_told_is_an_answer(self):
        for step in range(1, self.steps + 1):
            asked = questions.primitive(self.names, "sch", step)
            self.assertEqual(asked["line"].split("(")[0], asked["primitive"])
            told = questions.check_primitive(self.names, "sch", step, asked["line"])
            self.assertTrue(told["right"], (asked["line"], told))

    def test_words_of_the_program(self):
        lines = [questions.primitive(self.names, "sch", step)["line"] for step in range(1, self.steps + 1)]
        self.assertEqual(lines[:4], ["split(j, [None, 4])", "reorder(j_0, k, j_1)", "reverse_compute_at(C, j_0)", "cache_read(Y, 0, 'local')"])
        self.assertRegex(lines[4], r"^split\(i, \[\d+, \d+\]\)$")
        self.assertEqual(lines[-1], "storage_align(A_local, 0, -2, 16, 4)")

    def test_another_step_is_no_answer(self):
        told = questions.check_primitive(self.names, "sch", 1, "split(j, [None, 8])")
        self.assertFalse(told["right"])
        self.assertTrue(told["applies"])
        told = questions.check_primitive(self.names, "sch", 1, "split(nothing, [None, 8])")
        self.assertFalse(told["right"])
        self.assertIn("nothing", told["message"])

    def test_a_drill_goes_through_all_steps(self):
        lines = {questions.primitive(self.names, "sch", step)["line"] for step in range(1, self.steps + 1)}
        asked = [questions.primitive(self.names, "sch", 0, lap) for lap in range(5 * self.steps)]
        for turn in range(5):
            self.assertEqual({one["line"] for one in asked[turn * self.steps:(turn + 1) * self.steps]}, lines)
        orders = {tuple(one["line"] for one in asked[turn * self.steps:(turn + 1) * self.steps]) for turn in range(5)}
        self.assertEqual(len(orders), 5, "another order each time")
        self.assertFalse(any(one["line"] == after["line"] for one, after in zip(asked, asked[1:])), "never the same twice in a row")
        self.assertTrue(all(one["steps"] == self.steps for one in asked))
        for lap in range(self.steps):
            self.assertTrue(questions.check_primitive(self.names, "sch", 0, asked[lap]["primitive"], lap)["right"])


if __name__ == "__main__":
    tap.main()
