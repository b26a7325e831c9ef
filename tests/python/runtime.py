"""Arrays, compiled functions, registered functions, timing."""
import gc
import os
import tempfile
import unittest

import tap
import tvm
from programs import MatMulRelu
from tvm.script import tir as T

if tap.has_numpy():
    import numpy as np


@tap.needs_numpy
class Arrays(unittest.TestCase):
    def test_copy(self):
        data = np.arange(6, dtype="float32").reshape(2, 3)
        array = tvm.nd.array(data)
        data[0, 0] = 9
        self.assertEqual(array.numpy()[0, 0], 0)
        self.assertEqual(array.shape, (2, 3))
        self.assertEqual(array.dtype, "float32")
        self.assertEqual(str(type(array)), "<class 'tvm.runtime.ndarray.NDArray'>")

    def test_types(self):
        for dtype in ("int8", "uint8", "int32", "int64", "float16", "float32", "float64", "bool"):
            data = np.array([0, 1, 1], dtype=dtype)
            np.testing.assert_array_equal(tvm.nd.array(data).numpy(), data)

    def test_strides(self):
        data = np.arange(12, dtype="int32").reshape(3, 4)[:, ::2].T
        np.testing.assert_array_equal(tvm.nd.array(data).numpy(), data)

    def test_buffer_protocol_aliases(self):
        array = tvm.nd.empty((4,), "float32")
        view = np.asarray(memoryview(array))
        view[:] = 3
        self.assertEqual(array.numpy().tolist(), [3, 3, 3, 3])

    def test_dlpack_aliases_and_keeps_alive(self):
        array = tvm.nd.array(np.zeros(4, "float32"))
        other = np.from_dlpack(array)
        array.copyfrom(np.ones(4, "float32"))
        self.assertEqual(other.tolist(), [1, 1, 1, 1])
        del array
        gc.collect()
        self.assertEqual(other.tolist(), [1, 1, 1, 1])
        back = tvm.runtime.from_dlpack(np.arange(3.0))
        self.assertEqual(back.numpy().tolist(), [0, 1, 2])

    def test_refuses(self):
        with self.assertRaises(ValueError):
            tvm.nd.empty((2,), "float32").copyfrom(np.zeros((3,), "float32"))
        with self.assertRaises(tvm.TVMError):
            tvm.nd.empty((-1,), "float32")
        with self.assertRaises(tvm.TVMError):
            tvm.nd.empty((2,), device=tvm.vulkan(0))


@tap.needs_numpy
class Code(unittest.TestCase):
    def test_build_and_run(self):
        rand = np.random.RandomState(2).rand
        a, b = rand(16, 8).astype("float32") - 0.5, rand(8, 24).astype("float32") - 0.5
        for build in (tvm.build, tvm.compile):
            lib = build(MatMulRelu, target="llvm")
            out = tvm.nd.empty((16, 24), "float32")
            lib["main"](tvm.nd.array(a), tvm.nd.array(b), out)
            np.testing.assert_allclose(out.numpy(), np.maximum(a @ b, 0), rtol=1e-5, atol=1e-6)

    def test_wrong_arguments_raise(self):
        func = tvm.build(MatMulRelu, target="llvm")["main"]
        x = tvm.nd.empty((16, 8), "float32")
        for args in ((), (x, x, x), (1, 2, 3), (x, x), (tvm.nd.empty((16, 8), "float64"), x, x)):
            with self.assertRaises((tvm.TVMError, TypeError)):
                func(*args)

    def test_function_outlives_its_module(self):
        func = tvm.build(MatMulRelu, target="llvm")["main"]
        gc.collect()
        func(tvm.nd.empty((16, 8), "float32"), tvm.nd.empty((8, 24), "float32"), tvm.nd.empty((16, 24), "float32"))

    def test_time_evaluator(self):
        lib = tvm.build(MatMulRelu, target="llvm")
        args = [tvm.nd.empty(shape, "float32") for shape in ((16, 8), (8, 24), (16, 24))]
        result = lib.time_evaluator("main", tvm.cpu(), number=5, repeat=3)(*args)
        self.assertEqual(len(result.results), 3)
        self.assertGreater(result.mean, 0)
        self.assertTrue(str(result).startswith("Execution time summary:\n mean (ms)   median (ms)"))

    def test_unknown_target(self):
        with self.assertRaises(ValueError):
            tvm.build(MatMulRelu, target="abacus")
        with self.assertRaises(AttributeError):
            tvm.build(MatMulRelu, target="llvm")["nothing"]


@tap.needs_numpy
class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def built(self, symbol):
        @T.prim_func
        def double(A: T.Buffer((4,), "float32")):
            for i in range(4):
                A[i] = A[i] * T.float32(2)

        return tvm.tir.build(tvm.IRModule.from_expr(double.with_attr("global_symbol", symbol)), "llvm")

    def doubled(self, function):
        array = tvm.nd.array(np.ones(4, "float32"))
        function(array)
        return list(array.numpy())

    def test_objects_join_and_load(self):
        from tvm.contrib import cc

        names = [self.path(name) for name in ("a.o", "b.o")]
        for name, symbol in zip(names, ("first", "second")):
            self.built(symbol).save(name)
        cc.create_shared(self.path("lib.so"), names)
        loaded = tvm.runtime.load_module(self.path("lib.so"))
        self.assertEqual(self.doubled(loaded["second"]), [2, 2, 2, 2])
        self.assertTrue(loaded.implements_function("first"))
        with self.assertRaises(ValueError):
            tvm.runtime.load_module(self.path("none.so"))

    def test_llvm_text_holds_the_program(self):
        self.built("main").save(self.path("x.ll"))
        with open(self.path("x.ll"), encoding="utf-8") as file:
            self.assertIn("define", file.read())
        self.assertEqual(self.doubled(tvm.runtime.load_module(self.path("x.ll"))), [2, 2, 2, 2])

    def test_executables_wrap_modules(self):
        built = self.built("main")
        executable = tvm.runtime.Executable(built)
        self.assertIs(executable.mod, built)
        self.assertIs(executable.jit(), executable.jit())
        self.assertIsNot(executable.jit(force_recompile=True), built)
        self.assertEqual(self.doubled(executable["main"]), [2, 2, 2, 2])

    def test_views(self):
        array = tvm.nd.array(np.arange(64, dtype="int32"))
        np.testing.assert_array_equal(array._create_view([4, 8], relative_byte_offset=128).numpy(), np.arange(32, 64).reshape(4, 8))
        np.testing.assert_array_equal(array._create_view([32])._create_view([16], relative_byte_offset=64).numpy(), np.arange(16, 32))
        self.assertEqual(array._create_view([64], "float32").dtype, "float32")
        for shape, offset, words in (([128], 0, "only contains 256 bytes"), ([64], 128, "would occupy bytes 128 <= i_byte < 384")):
            with self.assertRaisesRegex(ValueError, words):
                array._create_view(shape, relative_byte_offset=offset)


class Handles(unittest.TestCase):
    @tap.needs_numpy
    def test_a_handle_is_a_tensor_of_other_libraries(self):
        import ctypes

        array = tvm.nd.array(np.arange(6, dtype="float32").reshape(2, 3))
        handle = array.handle
        tensor = handle.contents
        self.assertEqual((tensor.ndim, tensor.shape[0], tensor.shape[1], tensor.dtype.bits, tensor.dtype.lanes, tensor.device.device_type), (2, 2, 3, 32, 1, 1))
        numbers = ctypes.cast(tensor.data + tensor.byte_offset, ctypes.POINTER(ctypes.c_float))
        numbers[4] = 40
        self.assertEqual(array.numpy()[1, 1], 40)
        del array, tensor
        self.assertEqual([numbers[i] for i in range(6)], [0, 1, 2, 3, 40, 5])


class Registered(unittest.TestCase):
    def test_python_function(self):
        seen = []

        @tvm.register_func("test.python", override=True)
        def f(*args):
            seen.extend(args)
            return 7

        self.assertEqual(tvm.get_global_func("test.python")(1, "two", 3.5), 7)
        self.assertEqual(seen, [1, "two", 3.5])
        with self.assertRaises(tvm.TVMError):
            tvm.register_func("test.python", lambda: None)
        tvm.runtime._registry.remove_global_func("test.python")
        self.assertIsNone(tvm.get_global_func("test.python", allow_missing=True))

    def test_exception_passes_through(self):
        import _loopscope

        @tvm.register_func("test.raises", override=True)
        def f():
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            _loopscope.find_function("test.raises")()


class Targets(unittest.TestCase):
    def test_target(self):
        target = tvm.target.Target("llvm -num-cores=4 -mcpu=skylake", host="llvm")
        self.assertEqual(target.kind.name, "llvm")
        self.assertEqual(target.attrs["num-cores"], 4)
        self.assertEqual(target.mcpu, "skylake")
        self.assertEqual(target.host.kind.name, "llvm")
        with target:
            self.assertEqual(tvm.target.Target.current(), target)
        self.assertEqual(tvm.target.Target("nvidia/tesla-p100").arch, "sm_60")

    def test_many_dimensions_and_other_names_of_types(self):
        array = tvm.nd.empty([1] * 64, "int32")
        self.assertEqual(array.shape, (1,) * 64)
        with self.assertRaises(ValueError):
            tvm.nd.empty([1] * 65, "int32")
        for name, own, bits in (("bfloat", "bfloat16", 16), ("e4m3_float8", "float8_e4m3fn", 8), ("e5m2_float8", "float8_e5m2", 8)):
            array = tvm.nd.empty([4], name)
            self.assertEqual(array.dtype, own)
            kinds = [tvm.runtime.DataType(text) for text in (name, own)]
            self.assertEqual([(kind.type_code, kind.bits, kind.lanes) for kind in kinds], [(kinds[0].type_code, bits, 1)] * 2)


if __name__ == "__main__":
    tap.main()
