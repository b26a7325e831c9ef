"""Trees as deep as they come: 100,000 additions in one another, 8,000 scalars each of which is made of the one before."""
import copy
import pickle
import threading
import time
import unittest

import numpy as np
import tap
import tvm
from tvm import tir

DEEP = 100_000
BUILT = 20_000


def chain(n, left=True):
    x = tir.Var("x", "int32")
    expr = x
    for i in range(n):
        term = tir.Var(f"v{i % 7}", "int32")
        expr = tir.Add(expr, term) if left else tir.Add(term, expr)
    return x, expr


def in_thread(work):
    """`work` in a thread with a stack of 512 KiB."""
    failed = []

    def run():
        try:
            work()
        except BaseException as error:  # noqa: B902
            failed.append(error)

    before = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if failed:
        raise failed[0]


class Expressions(unittest.TestCase):
    def each(self):
        for left in (True, False):
            x, expr = chain(DEEP, left)
            y = tir.Var("y", "int32")
            other = tir.stmt_functor.substitute(expr, {x: y})
            self.assertFalse(other.same_as(expr))
            self.assertTrue(tvm.ir.structural_equal(expr, other, map_free_vars=True))
            self.assertEqual(tvm.ir.structural_hash(expr, map_free_vars=True), tvm.ir.structural_hash(other, map_free_vars=True))
            self.assertEqual(str(expr).count("+"), DEEP)
            met = []
            tir.stmt_functor.post_order_visit(expr, lambda node: met.append(isinstance(node, tir.Add)))
            self.assertEqual(sum(met), DEEP)
            if left:
                self.assertEqual(str(tvm.arith.Analyzer().simplify(expr)).count("v"), DEEP)

    def test_any_depth(self):
        self.each()

    def test_any_depth_on_a_small_stack(self):
        in_thread(self.each)

    def test_written_and_read(self):
        expr = chain(BUILT)[1]
        self.assertTrue(tvm.ir.structural_equal(expr, pickle.loads(pickle.dumps(expr)), map_free_vars=True))
        self.assertIsNotNone(copy.deepcopy(expr))

    def test_taken_apart(self):
        for left in (True, False):
            x, expr = chain(BUILT, left)
            if left:
                factor, rest = tvm.arith.detect_linear_equation(expr, [x])
                self.assertEqual((factor.value, str(rest).count("v")), (1, BUILT))
                self.assertEqual(len(tvm.arith.detect_clip_bound(expr < 5, [x])), 2)
            else:
                self.assertEqual(len(tvm.arith.detect_linear_equation(expr, [x])), 2)

    def built(self):
        a, b = tir.Var("a", "handle"), tir.Var("b", "handle")
        A, B = tir.decl_buffer((1,), "int32", "A"), tir.decl_buffer((1,), "int32", "B")
        value = tir.BufferLoad(A, [0])
        for _ in range(BUILT):
            value = tir.Add(value, tir.BufferLoad(A, [0]))
        func = tir.PrimFunc([a, b], tir.BufferStore(B, value, [0]), buffer_map={a: A, b: B}).with_attr("global_symbol", "main")
        lib = tvm.build(tvm.IRModule({"main": func}), target="llvm")
        x, y = tvm.nd.array(np.array([3], "int32")), tvm.nd.array(np.zeros(1, "int32"))
        lib["main"](x, y)
        self.assertEqual(y.numpy()[0], 3 * (BUILT + 1))

    def test_built(self):
        self.built()

    def test_built_on_a_small_stack(self):
        in_thread(self.built)


class Sums(unittest.TestCase):
    """As text: operators behind one another do not nest."""

    def text(self, value):
        return f'@T.prim_func\ndef main(A: T.Buffer((64,), "int32"), B: T.Buffer((1,), "int32")):\n    B[0] = {value}\n'

    def each(self):
        # 900 of each were refused once
        for value in ("A[0]" + "".join(f" {'+-*'[i % 3]} A[{i % 64}]" for i in range(BUILT)), " and ".join(f"A[{i % 64}] > {i}" for i in range(8000)),
                      " < ".join(f"A[{i % 64}]" for i in range(8000))):
            func = tvm.script.from_source(self.text(value))
            self.assertTrue(tvm.ir.structural_equal(func, tvm.script.from_source(func.script())))

    def test_read_and_written(self):
        self.each()

    def test_on_a_small_stack(self):
        in_thread(self.each)

    def test_from_the_left(self):
        func = tvm.script.from_source(self.text("10 - 3 - A[1] - A[2] * 2 - 1"))
        self.assertEqual(str(func.body.value), "7 - A[1] - A[2] * 2 - 1")
        func = tvm.script.from_source(self.text("A[0] - (A[1] - A[2] - A[3]) - (1 - 2 - 3)"))
        self.assertEqual(str(func.body.value), "A[0] - (A[1] - A[2] - A[3]) - -4")

    def test_not_for_ever(self):
        with self.assertRaisesRegex(Exception, "More than 100000 operators follow each other"):
            tvm.script.from_source(self.text(" + ".join(["A[0]"] * 100_002)))
        with self.assertRaisesRegex(Exception, "levels deep"):
            tvm.script.from_source(self.text("(" * 200 + "A[0]" + " + 1)" * 200))

class Selects(unittest.TestCase):
    """Below each condition more is known; what is known of a thing is found by a hash of it, not by a look at all that is known."""

    def nested(self, n, chosen):
        names, expr = [tir.Var(f"v{i}", "int32") for i in range(n)], tir.Var("y", "int32")
        for i in range(n):
            expr = tir.Select(names[i] < i, expr, names[i] + 1) if chosen else tir.Select(names[i] < i, names[i] + 1, expr)
        return expr

    def test_time(self):
        def best(expr):
            times = []
            for _ in range(3):
                begun = time.process_time()
                tvm.arith.Analyzer().simplify(expr)
                times.append(time.process_time() - begun)
            return min(times)

        for chosen in (True, False):
            few, many = (best(self.nested(n, chosen)) for n in (600, 2400))
            self.assertLess(many / few, 9)

    def test_what_is_known_comes_and_goes(self):
        x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
        within, beside = tir.Select(x < 5, tir.const(1, "int32"), tir.const(2, "int32")), tir.Select(y < 5, tir.const(3, "int32"), tir.const(4, "int32"))
        simplify = tvm.arith.Analyzer().simplify
        self.assertEqual(str(simplify(tir.Select(x < 3, within, beside))), str(tir.Select(x < 3, tir.const(1, "int32"), beside)))
        self.assertEqual(str(simplify(tir.Select(x < 9, tir.Select(x < 3, within, within), within))),
                         str(tir.Select(x < 9, tir.Select(x < 3, tir.const(1, "int32"), within), tir.const(2, "int32"))))
        least = tir.max(x, 7)
        self.assertEqual(str(simplify(tir.Select(x > 8, tir.Select(x < 100, least, y), least))),
                         str(tir.Select(tir.LT(tir.const(8, "int32"), x), tir.Select(x < 100, x, y), least)))


SCALARS = 8000


class Scalars(unittest.TestCase):
    """Each definition is a scope of its own, which lasts to the end."""

    def text(self):
        lines = ["# from tvm.script import tir as T", "@T.prim_func", 'def main(A: T.Buffer((1,), "int32"), x0: T.int32):',
                 '    T.func_attr({"global_symbol": "main"})']
        lines += [f"    x{i + 1}: T.int32 = x{i} + {i % 5}" for i in range(SCALARS)]
        return "\n".join(lines + [f"    A[0] = x{SCALARS}", ""])

    def each(self):
        func = tvm.script.from_source(self.text())
        self.assertTrue(tvm.ir.structural_equal(func, tvm.script.from_source(func.script())))
        lib = tvm.build(func, target="llvm")
        out = tvm.nd.array(np.zeros(1, "int32"))
        lib["main"](out, 7)
        self.assertEqual(out.numpy()[0], 7 + sum(i % 5 for i in range(SCALARS)))

    def test_all(self):
        self.each()

    def test_on_a_small_stack(self):
        in_thread(self.each)

    def test_common_subexpressions_of_each(self):
        """A look at the rest of the program for each of them takes minutes."""
        text = self.text().replace(" + 0\n", " * 3\n")
        func = tvm.script.from_source(text)
        begun = time.process_time()
        after = tir.transform.CommonSubexprElimTIR()(tvm.IRModule({"main": func}))["main"]
        self.assertLess(time.process_time() - begun, 20)
        self.assertTrue(tvm.ir.structural_equal(func, after))

    def test_equal_names(self):
        A = tir.decl_buffer((1,), "int32", "A")
        stmt = tir.BufferStore(A, tir.const(0, "int32"), [0])
        for i in range(3000):
            var = tir.Var("x", "int32")
            stmt = tir.LetStmt(var, tir.const(i, "int32"), tir.SeqStmt([tir.BufferStore(A, var, [0]), stmt]))
        text = stmt.script()
        names = [line.split(":")[0].strip() for line in text.splitlines() if ": T.int32 = " in line]
        self.assertEqual(names, [f"x_{i}" for i in range(1, 3000)])
        self.assertIn(" as x:", text)

    def test_lets(self):
        """Names of constants and of other names go, all at once: one by one each copied the rest, 220 s; what is computed stays."""
        started = time.process_time()
        x = tir.Var("x", "int32")
        names = [tir.Var(f"v{i}", "int32") for i in range(BUILT)]
        before = [x, *names[:-1]]
        for value, kept, result in ((lambda i: tir.const(i, "int32"), 0, str(BUILT)), (lambda i: before[i], 0, "x + 1"),
                                    (lambda i: before[i] + 1, BUILT, f"v{BUILT - 1} + 1"), (lambda i: before[i] + i % 2, BUILT // 2, f"v{BUILT - 1} + 1")):
            expr = names[-1] + 1
            for i in reversed(range(BUILT)):
                expr = tir.Let(names[i], value(i), expr)
            found, n = tvm.arith.Analyzer().simplify(expr), 0
            while isinstance(found, tir.Let):
                found, n = found.body, n + 1
            self.assertEqual((n, str(found)), (kept, result))
        self.assertLess(time.process_time() - started, 30)

    def test_a_name_in_a_let_is_the_innermost(self):
        x, v = tir.Var("x", "int32"), tir.Var("v", "int32")
        simplify = tvm.arith.Analyzer().simplify
        self.assertEqual(str(simplify(tir.Let(v, tir.const(1, "int32"), tir.Let(v, tir.const(2, "int32"), v + x)))), "x + 2")
        self.assertEqual(str(simplify(tir.Let(v, tir.const(1, "int32"), tir.Let(v, x * v, v + v)))), "x * 2")
        found = simplify(tir.Let(v, tir.const(3, "int32"), tir.Let(v, x * v, v + v)))
        self.assertEqual((str(found.value), str(found.body)), ("x * 3", "v * 2"))
        self.assertEqual(str(simplify(v + 0)), "v")

    def test_loops_do_not_nest_for_ever(self):
        text = self.text().split("\n")[:3] + [f"{' ' * (i + 1)}for i{i} in range(1):" for i in range(700)] + [" " * 702 + "A[0] = 1", ""]
        with self.assertRaisesRegex(Exception, "nest"):
            tvm.script.from_source("\n".join(text))


if __name__ == "__main__":
    tap.main()
