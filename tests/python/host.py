"""Python in the virtual machine: functions and objects as values, functions of the machine from Python, profiles, servers
of this process, parameters in folders, and the passes that choose code by target."""
import os
import tempfile
import unittest

import numpy as np
import tap
import tvm
from tvm import relax, topi
from tvm.runtime import ShapeTuple
from tvm.script import ir as I, relax as R, tir as T


def machine(mod, **options):
    return relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu(), **options)


class Values(unittest.TestCase):
    def test_function_as_argument(self):
        @R.function
        def run(x: R.Tensor([4], "float32"), told: R.Callable([R.Tensor([4], "float32")], R.Tensor([4], "float32"))):
            y = told(x)
            z = R.add(y, y)
            return z

        vm = machine(tvm.IRModule.from_expr(run))
        x = np.arange(4, dtype="float32")
        found = vm["run"](tvm.nd.array(x), lambda a: tvm.nd.array(a.numpy() + 1))
        np.testing.assert_array_equal(found.numpy(), 2 * (x + 1))
        with self.assertRaises(TypeError):
            vm["run"](tvm.nd.array(x), 3)

    def test_exception_comes_out(self):
        @R.function
        def run(told: R.Callable([], R.Tensor([1], "int32"))):
            return told()

        def told():
            raise KeyError("not here")

        try:
            machine(tvm.IRModule.from_expr(run))["run"](told)
            self.fail("nothing was raised")
        except KeyError as error:
            last = error.__traceback__
        while last.tb_next is not None:
            last = last.tb_next
        self.assertEqual(last.tb_frame.f_code.co_name, "told")

    def test_objects_are_handed_around(self):
        class Bag:
            pass

        tvm.register_func("test.host.make", lambda shape: setattr(bag, "shape", tuple(shape)) or bag, override=True)
        tvm.register_func("test.host.read", lambda found, extra: tvm.nd.array(np.array(list(found.shape) + [extra], "int64")), override=True)
        bag = Bag()

        @I.ir_module
        class Module:
            @R.function
            def make(x: R.Tensor((2, 3), "float32")):
                made = R.call_pure_packed("test.host.make", R.shape([2, 3]), sinfo_args=R.Object())
                return made

            @R.function
            def read(thing: R.Object):
                found = R.call_pure_packed("test.host.read", thing, 7, sinfo_args=R.Tensor((3,), "int64"))
                return found

        vm = machine(Module)
        made = vm["make"](tvm.nd.array(np.zeros((2, 3), "float32")))
        self.assertIs(made, bag)
        self.assertEqual(vm["read"](made).numpy().tolist(), [2, 3, 7])

    def test_arrays_of_others_are_refused(self):
        @R.function
        def run(x: R.Tensor([4], "float32")):
            return x

        with self.assertRaises(TypeError):
            machine(tvm.IRModule.from_expr(run))["run"](np.zeros(4, "float32"))

    def test_arrays_reach_functions_of_the_script_as_they_are(self):
        numbers = np.arange(6, dtype="int32").reshape(2, 3)

        @R.function
        def run():
            return (R.const(tvm.nd.array(numbers)), R.const(np.flip(numbers.T)))

        found = machine(tvm.IRModule.from_expr(run))["run"]()
        np.testing.assert_array_equal(found[0].numpy(), numbers)
        np.testing.assert_array_equal(found[1].numpy(), np.flip(numbers.T))

    def test_functions_of_the_machine(self):
        check = tvm.get_global_func("vm.builtin.check_tensor_info")
        x = tvm.nd.array(np.zeros((2, 3), "int32"))
        self.assertIsNone(check(x, 2, "int32", "x"))
        with self.assertRaisesRegex(ValueError, " x is .* an ndim of 3 is expected"):
            check(x, 3, "int32", "x")
        with self.assertRaisesRegex(TypeError, "a tensor is expected"):
            check(5, 3, "int32", "x")
        self.assertEqual(tvm.get_global_func("vm.builtin.make_shape")(tvm.nd.array(np.arange(4)), 2, 0, 9, 1, 3), ShapeTuple([9, 3]))
        with self.assertRaises(ValueError):
            tvm.get_global_func("vm.builtin.no_such_thing")
        self.assertIsNone(tvm.get_global_func("vm.builtin.no_such_thing", allow_missing=True))


class Caches(unittest.TestCase):
    def test_rows_grow(self):
        @I.ir_module
        class Module:
            @R.function
            def make():
                first = R.zeros((1, 2), "float32")
                cache = R.call_pure_packed("vm.builtin.attention_kv_cache_create", first, R.shape([1, 2]), 0, sinfo_args=R.Object())
                return cache

            @R.function(pure=False)
            def step(cache: R.Object, row: R.Tensor((1, 2), "float32"), shape: R.Shape(["n", 2])):
                n = T.int64()
                cache = R.call_packed("vm.builtin.attention_kv_cache_append", cache, row, sinfo_args=R.Object())
                rows = R.call_packed("vm.builtin.attention_kv_cache_view", cache, shape, sinfo_args=R.Tensor((n, 2), "float32"))
                return (rows, cache)

        vm = machine(Module)
        cache, seen = vm["make"](), []
        for i in range(5):
            seen.append([i, -i])
            rows, cache = vm["step"](cache, tvm.nd.array(np.array([seen[-1]], "float32")), ShapeTuple([i + 1, 2]))
            self.assertEqual(rows.numpy().tolist(), seen)

    def test_window_keeps_the_first(self):
        make, roll, view = (tvm.get_global_func("vm.builtin.attention_kv_cache_" + name) for name in ("create", "window_override_with_sinks", "view"))
        cache = make(tvm.nd.array(np.zeros((4, 1), "int32")), ShapeTuple([4, 1]), 0)
        for i in range(7):
            cache = roll(cache, tvm.nd.array(np.array([[i]], "int32")), 4, 1)
        self.assertEqual(view(cache, ShapeTuple([4, 1])).numpy().ravel().tolist(), [0, 4, 5, 6])

    def test_parameters_in_a_folder(self):
        from tvm.contrib import tvmjs

        params = {"w_0": np.arange(6, dtype="int64").reshape(2, 3), "w_1": np.array([1.0, 1.00390625, -3.5], "float32")}
        with tempfile.TemporaryDirectory() as folder:
            tvmjs.dump_ndarray_cache(params, folder, meta_data={"a": 1})
            found, said = tvmjs.load_ndarray_cache(folder, tvm.cpu())
            self.assertEqual((said, found["w_1"].numpy().tolist()), ({"a": 1}, [1.0, 1.0, -3.5]))
            params["w_1"] = np.array([2.0, 4.0, 8.0], "float32")
            tvmjs.dump_ndarray_cache(dict(params, w_2=params["w_0"]), folder, update_if_exists=True)
            tvm.get_global_func("vm.builtin.ndarray_cache.load")(folder, 1, 0)
            read = tvm.get_global_func("vm.builtin.param_array_from_cache")("w", -1)
            self.assertEqual([a.numpy().tolist() for a in read], [[[0, 1, 2], [3, 4, 5]], [2.0, 4.0, 8.0], [[0, 1, 2], [3, 4, 5]]])
            with self.assertRaisesRegex(ValueError, "already"):
                shards = tvmjs._Shards(folder, 1 << 20, [])
                shards.put("a", b"1", (1,), "int8", "raw", False)
                shards.put("a", b"1", (1,), "int8", "raw", False)


class Running(unittest.TestCase):
    def module(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((8, 8), "float32")):
                y = R.matmul(x, x)
                z = (y, x)
                return z

        return Module

    def test_profile(self):
        vm = machine(self.module(), profile=True)
        x = tvm.nd.array(np.eye(8, dtype="float32"))
        text = str(vm.profile("main", x))
        for word in ("Duration (us)", "matmul", "vm.builtin.make_tuple", "(8, 8) float32", "Total", "Sum"):
            self.assertIn(word, text)
        vm.set_input("main", x)
        self.assertIn("matmul", vm.profile("main").csv())
        with self.assertRaisesRegex(tvm.TVMError, "profile=True"):
            machine(self.module()).profile("main", x)

    def test_second_module(self):
        from tvm.relax.testing.lib_comparator import LibCompareVMInstrument

        vm = machine(self.module())
        seen = LibCompareVMInstrument(vm.module.imported_modules[0], tvm.cpu(), verbose=False)
        vm.set_instrument(seen)
        vm["main"](tvm.nd.array(np.eye(8, dtype="float32")))
        self.assertEqual(seen.counter, 1)

    def test_server_of_this_process(self):
        from tvm import rpc

        server = rpc.Server("127.0.0.1")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.so")
            relax.build(self.module(), "llvm").export_library(path)
            remote = rpc.connect(server.host, server.port, session_timeout=60)
            remote.upload(path)
            vm = relax.VirtualMachine(remote.load_module("program.so"), device=remote.cpu())
            found = vm["main"](tvm.nd.array(np.eye(8, dtype="float32"), remote.cpu()))
            self.assertEqual(found[0].numpy().trace(), 8)
        server.terminate()
        with self.assertRaisesRegex(ConnectionRefusedError, "no server of this process"):
            rpc.connect(server.host, server.port)


class ByTarget(unittest.TestCase):
    def test_results_stay_on_the_device(self):
        device = I.vdevice("llvm", 0)
        bb = relax.BlockBuilder()
        x = relax.Var("x", R.Tensor((2, 3), "float32", device))
        with bb.function("main", [x]):
            y = bb.emit_te(topi.exp, x)
            bb.emit_func_output(y)
        self.assertTrue(tvm.ir.structural_equal(y.struct_info.vdevice, device))

    def test_sorting_and_sums(self):
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("llvm", 0), I.vdevice("cuda", 0)]})

            @R.function
            def main(x: R.Tensor((3, 4), "float32", "llvm")):
                with R.dataflow():
                    a = R.sort(x, axis=1, descending=True)
                    b = R.topk(a, k=2, axis=1, ret_type="values", largest=False)
                    c = R.cumsum(b, axis=1)
                    R.output(c)
                return c

            @R.function
            def there(x: R.Tensor((3, 4), "float32", "cuda")):
                y = R.sort(x, axis=1, descending=True)
                return y

        out = relax.backend.DispatchSortScan()(Module)
        text = out["main"].script()
        for name in ("sort", "topk", "cumsum"):
            self.assertNotIn("R." + name, text)
        kernels = [gvar.name_hint for gvar, func in out.functions.items() if "blockIdx.x" in func.script()]
        self.assertNotIn("R.sort", out["there"].script())
        self.assertEqual(len(kernels), 1)
        self.assertIn(f"({kernels[0]}, ", out["there"].script().replace("cls.", ""))
        x = np.random.RandomState(2).rand(3, 4).astype("float32")
        alone = tvm.IRModule({gvar: func for gvar, func in out.functions.items() if gvar.name_hint not in ("there", *kernels)})
        alone.update_global_info("vdevice", list(Module.global_infos["vdevice"]))
        found = machine(alone)["main"](tvm.nd.array(x)).numpy()
        np.testing.assert_allclose(found, np.cumsum(np.sort(x, axis=1)[:, :2], axis=1), rtol=1e-6)

    def test_sampling(self):
        @I.ir_module
        class Module:
            @R.function
            def main(prob: R.Tensor((2, 4), "float32"), drawn: R.Tensor((3, 1), "float32"), rows: R.Tensor((3, 1), "int64")):
                with R.dataflow():
                    found = R.multinomial_from_uniform(prob, drawn, rows, dtype="int64")
                    R.output(found)
                return found

        with self.assertRaisesRegex(ValueError, "Target not found"):
            relax.backend.DispatchSampling()(Module)
        with tvm.target.Target("llvm"):
            out = relax.backend.DispatchSampling()(Module)
        prob = np.array([[0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0, 0.0]], "float32")
        found = machine(out)["main"](tvm.nd.array(prob), tvm.nd.array(np.array([[0.05], [0.5], [0.99]], "float32")), tvm.nd.array(np.array([[0], [0], [1]], "int64")))
        self.assertEqual(found.numpy().ravel().tolist(), [0, 2, 1])

    def test_pipelines(self):
        lists = ("library_dispatch_passes", "legalize_passes", "dataflow_lower_passes", "finalize_passes")
        for name in lists + ("get_default_pipeline",):
            self.assertIsNotNone(getattr(relax.pipeline, name)(tvm.target.Target("llvm")))
            with self.assertRaisesRegex(ValueError, "not yet supported"):
                getattr(relax.pipeline, name)(tvm.target.Target("c"))

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((3, 4), "float32")):
                with R.dataflow():
                    y = R.nn.relu(R.add(x, x))
                    R.output(y)
                return y

        lowered = relax.pipeline.get_default_pipeline(tvm.target.Target("llvm"))(Module)
        self.assertIn("fused_add_relu", str(lowered))
        x = np.random.RandomState(3).rand(3, 4).astype("float32") - 0.5
        found = relax.VirtualMachine(tvm.compile(lowered, "llvm"), tvm.cpu())["main"](tvm.nd.array(x)).numpy()
        np.testing.assert_allclose(found, np.maximum(2 * x, 0))


class Operators(unittest.TestCase):
    def run_function(self, func, *args):
        return machine(tvm.IRModule.from_expr(func))[str(func.attrs["global_symbol"])](*args)

    def test_unique(self):
        @R.function
        def flat(x: R.Tensor(("n", "m"), "int64")):
            found = R.unique(x, sorted=False, return_index=True, return_inverse=True, return_counts=True)
            return found

        @R.function
        def rows(x: R.Tensor((4, 2), "float32")):
            found = R.unique(x, sorted=True, axis=0)
            return found

        x = np.array([[5, 1, 5], [3, 1, 0]], "int64")
        found = [a.numpy().tolist() for a in self.run_function(flat, tvm.nd.array(x))]
        self.assertEqual(found, [[5, 1, 3, 0], [0, 1, 3, 5], [0, 1, 0, 2, 1, 3], [2, 2, 1, 1]])
        y = np.array([[2, 1], [0, 3], [2, 1], [0, 2]], "float32")
        self.assertEqual(self.run_function(rows, tvm.nd.array(y)).numpy().tolist(), np.unique(y, axis=0).tolist())

    def test_assertions(self):
        @R.function(pure=False)
        def words(x: R.Tensor((), "int32")):
            _ = R.assert_op(relax.const(False), x, (x, x), format="x: {} {}")
            return x

        @R.function(pure=False)
        def plain(x: R.Tensor((), "int32")):
            _ = R.assert_op(relax.const(False), x, x)
            return x

        five = tvm.nd.array(np.array(5, "int32"))
        with self.assertRaisesRegex(AssertionError, r"Assertion Failed: x: 5 \(5, 5\)"):
            self.run_function(words, five)
        with self.assertRaisesRegex(AssertionError, "Assertion Failed, arguments: 5, 5"):
            self.run_function(plain, five)

    def test_a_device_stands_for_a_virtual_one(self):
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("llvm", 0)]})

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                y = R.hint_on_device(x, tvm.cpu(0))
                return y

        self.assertEqual(machine(Module)["main"](tvm.nd.array(np.ones(2, "float32"))).numpy().tolist(), [1, 1])


if __name__ == "__main__":
    tap.main()
