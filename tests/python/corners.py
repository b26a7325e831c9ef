"""Corners of TVM's surface: each by the rule that its documentation states."""
import unittest
from typing import Callable, Dict, List, Optional, Tuple, Union

import tap
import tvm
from tvm import te, tir
from tvm.script import tir as T
from tvm.tir.schedule._type_checker import type_checked


class Literals(unittest.TestCase):
    def test_whole_numbers_stay_in_their_type(self):
        for bits in (8, 16, 32, 64):
            for kind, low, high in ((f"int{bits}", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1), (f"uint{bits}", 0, 2 ** bits - 1)):
                for make in (lambda v: tir.IntImm(kind, v), lambda v: tir.const(v, kind)):
                    self.assertEqual(make(low).dtype, kind)
                    self.assertEqual(make(high).dtype, kind)
                    for wrong in (low - 1, high + 1):
                        with self.assertRaises((tvm.TVMError, OverflowError), msg=f"{kind} {wrong}"):
                            make(wrong)

    def test_small_floats_stay_in_their_type(self):
        for kind, high in (("float16", 65504.0), ("bfloat16", 3.3895313892515355e38), ("float8_e4m3fn", 448.0), ("float8_e5m2", 57344.0),
                           ("float8_e4m3", 240.0), ("float8_e3m4", 15.5), ("float6_e2m3fn", 7.5), ("float4_e2m1fn", 6.0)):
            for make in (lambda v: tir.FloatImm(kind, v), lambda v: tir.const(v, kind)):
                self.assertEqual(make(high).value, high)
                self.assertEqual(make(-high).value, -high)
                with self.assertRaisesRegex(tvm.TVMError, f"exceeds the range of {kind}"):
                    make(high * 1.01)
        with self.assertRaises(tvm.TVMError):
            tir.const(-1.0, "float8_e8m0fnu")


class Names(unittest.TestCase):
    def test_spans(self):
        source = tvm.ir.SourceName("a.py")
        first, second = tvm.ir.Span(source, 1, 2, 3, 4), tvm.ir.Span(source, 5, 6, 7, 8)
        both = tvm.ir.SequentialSpan([first, tvm.ir.SequentialSpan([second])])
        self.assertEqual(both.source_name.name, "a.py")
        self.assertEqual((both.line, both.end_line, both.column, both.end_column), (1, 6, 3, 8))
        self.assertEqual(both.spans, [first, second])
        with self.assertRaises(ValueError):
            tvm.ir.SequentialSpan([])

    def test_codes_of_small_floats(self):
        for name, code in (("float8_e4m3fn", 10), ("float8_e5m2", 12), ("float4_e2m1fn", 17), ("bfloat16", 4), ("float16", 2)):
            self.assertEqual(tvm.DataType(name).type_code, code)
        self.assertEqual((tvm.DataType("float8_e4m3fnx4").type_code, tvm.DataType("float8_e4m3fnx4").lanes), (10, 4))

    def test_a_cpu_tells_nothing_of_threads(self):
        for name in ("device_name", "compute_version", "max_shared_memory_per_block", "multi_processor_count", "total_global_memory"):
            self.assertIsNone(getattr(tvm.cpu(), name))

    def test_targets_say_whether_they_have_dot_products(self):
        self.assertFalse(tvm.target.Target("llvm").supports_integer_dot_product)
        self.assertTrue(tvm.target.Target({"kind": "vulkan", "supports_integer_dot_product": True}).supports_integer_dot_product)


class Touched(unittest.TestCase):
    def test_access_map(self):
        @T.prim_func
        def func(a: T.handle, b: T.handle, n: T.int32):
            A = T.match_buffer(a, (n, 8))
            B = T.match_buffer(b, (n, 8))
            for i in range(4):
                B[i, 7] = A[i + 1, 2] + A[0, i]

        found = tvm.arith._ffi_api.DomainTouchedAccessMap(func)
        a, b = (func.buffer_map[param] for param in func.params[:2])
        ends = lambda dims: [[(int(one.min_value), int(one.max_value)) for one in dim] for dim in dims]  # noqa: E731
        self.assertEqual([ends(part) for part in found[a]], [[[(1, 4), (0, 0)], [(2, 2), (0, 3)]], [], [[(1, 4), (0, 0)], [(2, 2), (0, 3)]]])
        self.assertEqual([ends(part) for part in found[b]], [[], [[(0, 3)], [(7, 7)]], [[(0, 3)], [(7, 7)]]])


class TypeChecked(unittest.TestCase):
    def test_what_fits_and_what_does_not(self):
        for hint, good, bad in ((int, [0, -3], ["1", 1.5, None]), (str, ["", "a"], [1, None]), (float, [1.0, 2], ["1"]),
                                (List[str], [[], ["a"], ("a", "b")], ["a", [1], ["a", 2]]), (Tuple[str, int], [("a", 1)], [("a",), (1, "a"), ["a", 1]]),
                                (Tuple[int, ...], [(), (1, 2)], [(1, "a")]), (Dict[str, int], [{}, {"a": 1}], [{1: 1}, {"a": "b"}, []]),
                                (Optional[int], [None, 1], ["a"]), (Union[int, List[str]], [1, ["a"]], ["a", [1]]), (Callable, [len], [1]),
                                (tir.PrimExpr if hasattr(tir, "PrimExpr") else tvm.ir.PrimExpr, [te.var("x"), tir.const(1)], ["x"])):
            @type_checked
            def func(value: hint):
                return value

            for one in good:
                self.assertEqual(func(one) is one, True)
            for one in bad:
                with self.assertRaisesRegex(TypeError, '"value.*" is expected to be of type', msg=f"{hint} {one!r}"):
                    func(one)

    def test_defaults_names_and_the_rest(self):
        @type_checked
        def func(a: int, *rest: str, b: int = None, **more: float):
            return a, rest, b, more

        self.assertEqual(func(1, "x", "y", c=1.0), (1, ("x", "y"), None, {"c": 1.0}))
        for args, kwargs in (((1, 2), {}), ((1,), {"b": "z"}), ((1,), {"c": "z"})):
            with self.assertRaises(TypeError):
                func(*args, **kwargs)


class Indices(unittest.TestCase):
    """cache_index: its buffers have one stride for several dimensions, as TVM's have."""

    @tap.needs_numpy
    def test_a_window_by_two_indices(self):
        import warnings

        import numpy as np

        a = te.placeholder((2, 8, 8), name="A")
        di, dj = te.reduce_axis((0, 2), "di"), te.reduce_axis((0, 2), "dj")
        b = te.compute((2, 4, 4), lambda n, i, j: te.max(a[n, i * 2 + di, j * 2 + dj], axis=[di, dj]), name="B")
        for first in (lambda sch: None, lambda sch: sch.cache_read(sch.get_block("B"), 0, "local")):
            sch = tir.Schedule(te.create_prim_func([a, b]))
            first(sch)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                sch.cache_index(sch.get_block("B"), "global", 0)
            self.assertIn("strides=(1,)", sch.mod.script())
            x, out = np.random.default_rng(2).random((2, 8, 8), "float32"), tvm.nd.empty((2, 4, 4))
            tvm.compile(sch.mod, target="llvm")["main"](tvm.nd.array(x), out)
            np.testing.assert_array_equal(out.numpy(), x.reshape(2, 4, 2, 4, 2).max((2, 4)))

    @tap.needs_numpy
    def test_a_condition_of_two_dimensions(self):
        import warnings

        import numpy as np

        a = te.placeholder((40, 50), name="A")
        b = te.compute((42, 52), lambda i, j: te.if_then_else(te.all(i >= 1, i < 41, j >= 1, j < 51), a[i - 1, j - 1], 0.0), name="B")
        c = te.compute((42, 52), lambda i, j: b[i, j] + 1.0, name="C")
        sch = tir.Schedule(te.create_prim_func([a, c]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sch.cache_index(sch.get_block("B"), "global", 1)
        self.assertIn('(42, 52), "bool", strides=(1,)', sch.mod.script())
        x, out = np.random.default_rng(2).random((40, 50), "float32"), tvm.nd.empty((42, 52))
        tvm.compile(sch.mod, target="llvm")["main"](tvm.nd.array(x), out)
        np.testing.assert_array_equal(out.numpy(), np.pad(x, 1) + 1)


if __name__ == "__main__":
    tap.main()
