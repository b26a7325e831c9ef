"""tvm.dlight.benchmark: what it says of functions, what it measures, and that the scripts it writes run."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

import tap
import tvm
from tvm.dlight.benchmark import (benchmark, benchmark_prim_func, benchmark_relax_func, extract_all_func_info_from_relax, extract_from_relax,
                                  extract_func_info_from_prim_func, extract_prim_func)
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module(check_well_formed=False)         # nothing brings the n of `test`: that is what is measured
class Rows:
    @T.prim_func
    def fill(h: T.handle):
        n = T.int64()
        F = T.match_buffer(h, (T.int64(2), n), "float16")
        for i, j in T.grid(T.int64(2), n):
            with T.block("F"):
                a, b = T.axis.remap("SS", [i, j])
                F[a, b] = T.float16(1)

    @T.prim_func
    def rows(h: T.handle, S: T.Buffer((T.int64(2),), "float16")):
        n = T.int64()
        F = T.match_buffer(h, (T.int64(2), n), "float16")
        for i, j in T.grid(T.int64(2), n):
            with T.block("S"):
                a, b = T.axis.remap("SR", [i, j])
                with T.init():
                    S[a] = T.float16(0)
                S[a] = S[a] + F[a, b]

    @R.function
    def test():
        n = T.int64()
        cls = Rows
        with R.dataflow():
            a = R.call_tir(cls.fill, (), out_sinfo=R.Tensor((2, n), dtype="float16"))
            b = R.call_tir(cls.fill, (), out_sinfo=R.Tensor((2, 7), dtype="float16"))
            d = R.call_tir(cls.fill, (), out_sinfo=R.Tensor((2, n), dtype="float16"))
            c = R.call_tir(cls.rows, (a,), out_sinfo=R.Tensor((2,), dtype="float16"))
            R.output(c)
        return c


def printed(call, *args, **more):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call(*args, **more)
    return out.getvalue()


class Said(unittest.TestCase):
    def test_arguments_and_variables(self):
        self.assertEqual(str(extract_func_info_from_prim_func(Rows["rows"])), "([((2, n), 'float16'), ((2,), 'float16')], {'n': 'int64'})")

    def test_calls_with_the_same_shapes_are_counted_together(self):
        found = {g.name_hint: {c.name_hint: str(v) for c, v in calls.items()} for g, calls in extract_all_func_info_from_relax(Rows).items()}
        self.assertEqual(found, {"test": {"fill": "[([((2, n), 'float16')], {'n': 'int64'}, 2), ([((2, 7), 'float16')], {}, 1)]",
                                          "rows": "[([((2, n), 'float16'), ((2,), 'float16')], {'n': 'int64'}, 1)]"}})


class Measured(unittest.TestCase):
    def test_the_sample_gives_the_extents(self):
        infos, median, deviation = benchmark(Rows["rows"], dym_var_sample={"n": 5}, target="llvm")
        self.assertEqual(infos, [((2, 5), "float16"), ((2,), "float16")])
        self.assertGreater(median, 0)
        self.assertGreaterEqual(deviation, 0)

    def test_a_row_for_each_sample(self):
        text = printed(benchmark_prim_func, Rows["rows"], args=[((2, "n"), "float16"), ((2,), "float16")], sample_number=3, target="llvm",
                       dym_var_sample_func=lambda names: {name: 9 for name in names})
        self.assertEqual(text.count("[2, 9] float16"), 3)

    def test_a_relax_function(self):
        with tvm.target.Target("llvm -num-cores=2"):
            text = printed(benchmark_relax_func, Rows, "test", sample_number=1, dym_var_sample_func=lambda names: {"n": 11})
        self.assertIn("test: n = 11", text)
        self.assertEqual((text.count("[2, 11] float16"), text.count("[2, 7] float16")), (2, 1))

    def test_refused(self):
        with self.assertRaises(ValueError):
            benchmark_prim_func(Rows["rows"], target="llvm", sort_by="no column")
        with self.assertRaises(ValueError):
            benchmark(Rows["rows"])
        with self.assertRaises(ValueError):
            benchmark(Rows, target="llvm")


class Scripts(unittest.TestCase):
    def test_each_runs(self):
        with tvm.target.Target("llvm -num-cores=2"), tempfile.TemporaryDirectory() as folder:
            extract_from_relax(Rows, "TEST", file_path=folder)
            found = sorted(os.listdir(os.path.join(folder, "TEST", "test")))
            self.assertEqual(found, ["fill.py", "fill_1.py", "rows.py"])
            out = subprocess.run([sys.executable, os.path.join(folder, "TEST", "test", "fill_1.py")], capture_output=True, text=True, timeout=100)
            self.assertIn("[2, 7] float16", out.stdout, out.stderr)

    def test_what_was_asked_stands_in_it(self):
        text = extract_prim_func(model_name="A", relax_func_name="b", prim_func_name="c", func=Rows["fill"], func_args=[((2, "n"), "float16")],
                                 dym_var_dict={"n": "int32"}, weight=4, sample_number=6, target="llvm -num-cores=4")
        for part in ("calls 4 times", "((2, 'n'), 'float16')", "{'n': 'int32'}", "sample_number=6", "'num-cores': 4"):
            self.assertIn(part, text)
        compile(text, "c.py", "exec")


if __name__ == "__main__":
    tap.main()
