"""What buffers hold from statement to statement: stores nobody reads, conditions that may go, values that are assumed."""
import textwrap
import unittest

import tap
import tvm
from tvm import tir

A = 'A: T.Buffer(16, "int32")'
AB = A + ', B: T.Buffer(16, "int32")'


def program(params, body):
    text = f"# from tvm.script import tir as T\n@T.prim_func(private=True)\ndef main({params}):\n"
    return tvm.script.from_source(text + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n")


def run(name, func, config=None):
    with tvm.transform.PassContext(config=config or {}):
        return getattr(tir.transform, name)()(tvm.IRModule.from_expr(func))["main"]


class Case(unittest.TestCase):
    name, dataflow = None, True

    def check(self, params, before, after, dataflow=True):
        """`after` None: as it was."""
        before = program(params, before)
        result = run(self.name, before, {f"tir.{self.name}": {"use_dataflow_analysis": dataflow}})
        tvm.ir.assert_structural_equal(result, before if after is None else program(params, after))


def loop(body, rounds="16"):
    return f"for i in range({rounds}):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"


class Overwritten(Case):
    name = "RemoveNoOp"

    def test_in_one_round(self):
        twice = loop("A[i] = 7\nA[i] = 8")
        self.check(A, twice, loop("A[i] = 8"))
        self.check(A, twice, None, dataflow=False)
        self.check(A, loop("A[i] = 7\nA[i] = A[i] * 2"), None)
        called = 'T.call_extern("int32", "count")'
        self.check(A, loop(f"A[i] = {called}\nA[i] = 8"), loop(f"T.evaluate({called})\nA[i] = 8"))

    def test_by_another_loop(self):
        self.check(A, loop("A[i] = 7") + loop("A[i] = 8"), loop("A[i] = 8"))
        self.check(A, loop("A[i] = 7", "3, 9") + loop("A[i] = 8"), loop("A[i] = 8"))
        self.check(A, loop("A[i] = 7") + loop("A[i] = 8", "3, 9"), None)
        self.check(AB, loop("A[i] = 7") + loop("B[i] = 1") + loop("A[i] = 8"), loop("B[i] = 1") + loop("A[i] = 8"))
        self.check(AB, loop("A[i] = 7") + loop("B[i] = A[i]") + loop("A[i] = 8"), None)

    def test_under_conditions(self):
        first, second = loop("if i < 9:\n    A[i] = 7"), loop("if i < 12:\n    A[i] = 8")
        self.check(A, first + second, second)
        self.check(A, second + first, None)
        self.check(A, first + loop("if i // 3 < 3:\n    A[i] = 8"), loop("if i // 3 < 3:\n    A[i] = 8"))

    def test_what_is_there_already(self):
        self.check(A, loop("A[i] = i") + "A[5] = 5", loop("A[i] = i"))
        self.check(A, loop("A[i] = i") + loop("A[i] = i"), loop("A[i] = i"))
        self.check(A, loop("A[i] = i") + "A[5] = 6", None)
        self.check(A, loop("A[i] = A[i + 1]", "15"), None)
        self.check(A, loop("A[i] = A[i] + 0"), "T.evaluate(0)", dataflow=False)
        self.check(A, loop("if i != 0:\n    A[i] = A[i - 1]\nelse:\n    A[i] = A[0]"), loop("if i != 0:\n    A[i] = A[i - 1]"), dataflow=False)

    def test_declarations_nobody_uses(self):
        self.check("", 'a = T.decl_buffer([4, 4], "int32", scope="local")\nb = T.decl_buffer(16, "int32", data=a.data, scope="local")\nT.evaluate(0)',
                   "T.evaluate(0)", dataflow=False)
        self.check(A, "x = 5\n" + loop("A[i] = x", "0"), "T.evaluate(0)", dataflow=False)


class Branches(Case):
    name = "ReduceBranchingThroughOvercompute"

    def test_one_branch_for_both(self):
        self.check(A, loop("if i < 14:\n    A[i] = 1\n    T.evaluate(0)\nelse:\n    A[i] = 1"), loop("A[i] = 1\nT.evaluate(0)"), dataflow=False)
        self.check('S: T.Buffer(1, "int32")', loop("if i > 0:\n    S[0] = S[0] + i * 3"), loop("S[0] = S[0] + i * 3"))

    def test_what_is_written_over(self):
        head, tail = "if i < 14:\n    A[i] = 1", loop("if i >= 14:\n    A[i] = 2")
        self.check(A, loop(head) + tail, loop("A[i] = 1") + tail)
        self.check(A, loop(head) + tail, None, dataflow=False)
        self.check(A, loop(head) + loop("if i >= 14:\n    A[i] = A[i] + 1"), None)
        tiles = "for io, ii in T.grid(4, 4):\n    if io == 3 and ii >= 2:\n        A[io * 4 + ii] = 2\n"
        self.check(A, loop(head) + tiles, loop("A[i] = 1") + tiles)

    def test_what_is_assumed(self):
        params = A + ', S: T.Buffer(1, "int32")'
        known = loop("T.evaluate(T.assume(i < 14 or A[i] == 0))") + "S[0] = 0\n"
        self.check(params, known + loop("if i < 14:\n    S[0] = S[0] + A[i]"), known + loop("S[0] = S[0] + A[i]"))
        self.check(params, known + loop("if i < 13:\n    S[0] = S[0] + A[i]"), None)


class Assumptions(unittest.TestCase):
    def test_choices(self):
        known = loop("T.evaluate(T.assume(i < 14 or A[i] == 0))")
        for value, left in ("T.if_then_else(14 <= i, 0, A[i] * 2)", "A[i] * 2"), ("T.if_then_else(i < 14, A[i] + 3, 3)", "A[i] + 3"), ("T.if_then_else(14 <= i, 1, A[i])", None):
            with self.subTest(value):
                before = program(AB, known + loop(f"B[i] = {value}"))
                after = before if left is None else program(AB, known + loop(f"B[i] = {left}"))
                tvm.ir.assert_structural_equal(run("UseAssumeToReduceBranches", before), after)


class Known(unittest.TestCase):
    def same(self, params, body):
        func = program(params, body)
        tvm.ir.assert_structural_equal(run("Simplify", func, {"tir.Simplify": {"propagate_knowns_to_simplify_expressions": True}}), func)

    def test_another_round_stores_too(self):
        self.same(AB, loop("A[i] = 1\nA[i - 1] = 2", "1, 16") + loop("B[i] = A[i]", "1, 16"))

    def test_an_init_runs_in_some_rounds(self):
        self.same(A + ', S: T.Buffer(1, "int32")', """
            for i in range(16):
                with T.block("S"):
                    k = T.axis.reduce(16, i)
                    with T.init():
                        S[0] = 0
                    S[0] = S[0] + A[k]""")


class Knowns(unittest.TestCase):
    """Conditions that are decided by what buffers hold."""

    def check(self, params, before, after):
        before = program(params, before)
        with tvm.transform.PassContext(config={"tir.Simplify": {"propagate_knowns_to_prove_conditional": True}}):
            result = tir.transform.Simplify()(tvm.IRModule({"main": before}))["main"]
        tvm.ir.assert_structural_equal(result, before if after is None else program(params, after))

    def test_values_that_depend_on_known_ones(self):
        begin = "A[3] = 5\nA[3] = A[3] * 2\nA[4] = A[3] - 1\n"
        self.check(A, begin + "if A[4] == 9:\n    A[0] = 1\nelse:\n    A[0] = 2", begin + "A[0] = 1")

    def test_what_a_condition_says(self):
        self.check(A, """
            if A[2] == 7:
                A[2] = A[2] - 3
                if A[2] < 7:
                    A[1] = 1""", """
            if A[2] == 7:
                A[2] = A[2] - 3
                A[1] = 1""")
        self.check(A + ", n: T.int32", """
            if A[2] == n:
                A[2] = A[2] - 3
                if A[2] < n:
                    A[1] = 1""", None)          # A[2] wraps where n is the least number: TVM decides it all the same
        self.check(A + ", n: T.int32", """
            if A[2] == n:
                A[1] = 1
            if A[2] == n:
                A[1] = 2""", None)

    def test_assumed_of_a_variable(self):
        self.check(A + ", n: T.int32", "T.evaluate(T.assume(n < 4))\nif n < 9:\n    A[0] = n", "T.evaluate(T.assume(n < 4))\nA[0] = n")
        self.check(A + ", n: T.int32, m: T.int32", """
            if m == 1:
                T.evaluate(T.assume(n < 4))
            if n < 9:
                A[0] = n""", None)

    def test_under_a_condition(self):
        known = loop("if 5 <= i:\n    A[i] = 3")
        self.check(A, known + loop("if 7 <= i:\n    if A[i] == 3:\n        A[i] = 4"), known + loop("if 7 <= i:\n    A[i] = 4"))
        self.check(A, known + loop("if 4 <= i:\n    if A[i] == 3:\n        A[i] = 4"), None)

    def test_until_a_round_stores(self):
        zero = loop("A[i] = 0")
        self.check(A, zero + loop("if A[i] == 0:\n    A[i] = 7"), zero + loop("A[i] = 7"))
        self.check(A, zero + loop("if A[i] == 0:\n    A[15 - i] = 7"), None)
        self.check(A, zero + loop("if A[0] == 0:\n    A[i] = 7"), None)
        self.check(A, zero + loop("if i == 2:\n    A[i] = 5\nif A[i] == 0:\n    A[i] = 7"), None)

    def test_lanes(self):
        store = "A[4:8] = T.Ramp(10, 2, 4)\n"
        self.check(A, store + "A[5] = 0\nif A[6] == 14:\n    A[0] = 1", store + "A[5] = 0\nA[0] = 1")
        self.check(A, store + "A[5] = 0\nif A[5] == 12:\n    A[0] = 1", store + "A[5] = 0")
        self.check(A, store + "if A[8] == 18:\n    A[0] = 1", None)


if __name__ == "__main__":
    tap.main()
