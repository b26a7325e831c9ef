"""Relax passes that decide where values stand: storages with bounds, graphs of the device, virtual devices, layouts."""
import re
import unittest

import numpy as np

import tap
import tvm
from tvm import relax
from tvm.relax.testing.transform import (ApplyEmptyCppMutator, dataflow_alias_analysis, dataflow_inplace_analysis, dataflow_liveness_analysis,
                                         dataflow_single_inplace_call)
from tvm.script import ir as I, relax as R, tir as T


def equal(case, found, wanted):
    case.assertIsNone(tvm.ir.assert_structural_equal(found, wanted))


def storages(mod, name="main"):
    found = []

    def visit(node):
        if isinstance(node, relax.Call) and getattr(node.op, "name", "") == "relax.memory.alloc_storage":
            found.append(node.args[0].values[0])

    relax.analysis.post_order_visit(mod[name], visit)
    return [re.sub(r"T\.int64\((\d+)\)", r"\1", str(x)) for x in found]


class Memory(unittest.TestCase):
    def module(self, attrs):
        @I.ir_module
        class Module:
            @T.prim_func
            def fill(a: T.handle, b: T.handle):
                T.evaluate(0)

            @R.function
            def main(x: R.Tensor(("n", 6), "float32")) -> R.Tensor(("n", 6), "float32"):
                n = T.int64()
                R.func_attr({"relax.force_pure": True})
                a = R.builtin.alloc_tensor(R.shape([n, 6]), "float32", 0)
                _ = Module.fill(x, a)
                b = R.builtin.alloc_tensor(R.shape([6, n]), "float32", 0)
                _1 = Module.fill(a, b)
                c = R.builtin.alloc_tensor(R.shape([3 * n + 1, 2]), "float32", 0)
                _2 = Module.fill(b, c)
                d = R.builtin.alloc_tensor(R.shape([n, 6]), "float32", 0)
                _3 = Module.fill(c, d)
                return d

        Module["main"] = Module["main"].with_attrs(attrs)
        return Module

    def test_sizes_that_stay_symbolic_are_compared_by_value(self):
        after = relax.transform.StaticPlanBlockMemory()(self.module({}))
        self.assertEqual(storages(after), ["24 * n", "24 * n", "8 * (3 * n + 1)"])

    def test_upper_bounds_make_numbers(self):
        after = relax.transform.StaticPlanBlockMemory()(self.module({"tir_var_upper_bound": {"n": 5}}))
        self.assertEqual(storages(after), ["128", "120"])

    def test_results_are_planned_where_the_function_says_so(self):
        attrs = {"tir_var_upper_bound": {"n": 5}, "relax.memory_plan_dynamic_func_output": True}
        after = relax.transform.StaticPlanBlockMemory()(self.module(attrs))
        self.assertEqual(storages(after), ["128", "120", "120"])
        self.assertNotIn("relax.memory_plan_dynamic_func_output", after["main"].attrs)

    def test_bounds_are_numbers(self):
        for name in ("tir_var_upper_bound", "tir_var_lower_bound"):
            with self.assertRaisesRegex(tvm.TVMError, name):
                relax.transform.StaticPlanBlockMemory()(self.module({name: {"n": "many"}}))

    def test_fields_of_tuples_live_apart(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def fill(a: T.handle, b: T.handle):
                T.evaluate(0)

            @R.function
            def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                R.func_attr({"relax.force_pure": True})
                a = R.builtin.alloc_tensor(R.shape([4]), "float32", 0)
                _ = Module.fill(x, a)
                b = R.builtin.alloc_tensor(R.shape([4]), "float32", 0)
                _1 = Module.fill(x, b)
                pair = (a, (b, a))
                inner = pair[1]
                c = R.builtin.alloc_tensor(R.shape([4]), "float32", 0)
                _2 = Module.fill(inner[1], c)
                d = R.builtin.alloc_tensor(R.shape([4]), "float32", 0)
                _3 = Module.fill(inner[0], d)
                return x

        self.assertEqual(len(storages(relax.transform.StaticPlanBlockMemory()(Module))), 3)


class Branches(unittest.TestCase):
    """Only one branch of an If runs: the plan names one storage in both, and what follows makes it where it is needed."""

    def module(self):
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def double(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
                for i in range(4):
                    with T.block("b"):
                        vi = T.axis.spatial(4, i)
                        b[vi] = a[vi] * T.float32(2)

            @R.function
            def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
                cls = Module
                if c:
                    a = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), "float32"))
                    b = R.call_tir(cls.double, (a,), out_sinfo=R.Tensor((4,), "float32"))
                    r = R.add(b, x)
                else:
                    d = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), "float32"))
                    r = R.add(d, x)
                e = R.call_tir(cls.double, (r,), out_sinfo=R.Tensor((4,), "float32"))
                f = R.call_tir(cls.double, (e,), out_sinfo=R.Tensor((4,), "float32"))
                return f

        return relax.transform.LegalizeOps()(Module)

    def lowered(self, *passes):
        mod = self.module()
        for step in (relax.transform.CallTIRRewrite(), *passes):
            mod = step(mod)
        return mod

    def test_both_branches_name_one_storage(self):
        mod = self.lowered(relax.transform.StaticPlanBlockMemory())
        text = mod["main"].script()
        self.assertEqual(text.count("R.memory.alloc_storage"), 2, text)
        otherwise = text[text.index("else:"):].splitlines()
        self.assertEqual(otherwise[1].strip(), "storage: R.Object")
        self.assertIn("R.memory.alloc_tensor(storage,", otherwise[2])

    def test_what_follows_makes_it_where_it_is_not(self):
        mod = self.lowered(relax.transform.StaticPlanBlockMemory(), relax.transform.LowerAllocTensor())
        self.assertNotRegex(mod["main"].script(), r"(?m): R.Object$")

    def test_each_way_gives_its_result(self):
        machine = relax.VirtualMachine(relax.build(self.module(), "llvm"), tvm.cpu())
        x = np.array([1, -2, 3, 0.5], "float32")
        for way, factor in ((True, 20), (False, 12)):
            found = machine["main"](tvm.nd.array(np.array(way)), tvm.nd.array(x))
            np.testing.assert_array_equal(found.numpy(), x * factor)


class Graphs(unittest.TestCase):
    def run_with(self, mod):
        with tvm.transform.PassContext(config={"relax.backend.use_cuda_graph": True}):
            return relax.transform.RewriteCUDAGraph()(mod)

    def test_launches_move_to_a_function(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((3,), "float32"), w: R.Tensor(("k",), "float32")):
                R.func_attr({"relax.force_pure": True, "num_input": 1})
                s = R.memory.alloc_storage(R.shape([12]), 0, "global", "float32")
                a = R.memory.alloc_tensor(s, 0, R.shape([3]), "float32")
                _ = R.call_packed("one", x, a, sinfo_args=(R.Tuple,))
                t = R.memory.alloc_storage(R.shape([20]), 0, "global", "float32")
                b = R.memory.alloc_tensor(t, 0, R.shape([5]), "float32")
                _1 = R.call_packed("two", a, w, b, sinfo_args=(R.Tuple,))
                pair = (a, b)
                c = R.builtin.alloc_tensor(R.shape([5]), "float32", 0)
                _2 = R.call_packed("three", pair[1], c, sinfo_args=(R.Tuple,))
                return c

        @I.ir_module
        class After:
            @R.function(private=True)
            def cuda_graph_alloc():
                R.func_attr({"relax.force_pure": True})
                t = R.memory.alloc_storage(R.shape([20]), 0, "global", "float32")
                s = R.memory.alloc_storage(R.shape([12]), 0, "global", "float32")
                gv = (t, s)
                return gv

            @R.function(private=True)
            def main_cuda_graph_capture(a: R.Tensor((3,), "float32"), w: R.Tensor(("k",), "float32"), b: R.Tensor((5,), "float32"), shape_expr: R.Shape(["k"])):
                R.func_attr({"relax.force_pure": True})
                _1 = R.call_packed("two", a, w, b, sinfo_args=(R.Tuple,))
                pair = (a, b)
                lv = pair[1]
                gv = (lv,)
                return gv

            @R.function
            def main(x: R.Tensor((3,), "float32"), w: R.Tensor(("k",), "float32")):
                k = T.int64()
                R.func_attr({"relax.force_pure": True, "num_input": 1})
                cls = After
                gv = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.cuda_graph_alloc, R.prim_value(0)),
                                             sinfo_args=(R.Tuple(R.Object, R.Object),))
                s = gv[1]
                a = R.memory.alloc_tensor(s, 0, R.shape([3]), "float32")
                _ = R.call_packed("one", x, a, sinfo_args=(R.Tuple,))
                t = gv[0]
                b = R.memory.alloc_tensor(t, 0, R.shape([5]), "float32")
                gv1 = R.call_builtin_with_ctx("vm.builtin.cuda_graph.run_or_capture",
                                              (cls.main_cuda_graph_capture, (a, w, b, R.shape([k])), R.prim_value(0), R.shape([k])),
                                              sinfo_args=(R.Tuple(R.Tensor((5,), "float32")),))
                c = R.builtin.alloc_tensor(R.shape([5]), "float32", 0)
                lv = gv1[0]
                _2 = R.call_packed("three", lv, c, sinfo_args=(R.Tuple,))
                return c

        equal(self, self.run_with(Before), After)
        equal(self, relax.transform.RewriteCUDAGraph()(Before), Before)

    def test_results_stay_with_the_function(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((3,), "float32")):
                R.func_attr({"relax.force_pure": True})
                none = R.null_value()
                s = R.memory.alloc_storage(R.shape([12]), 0, "global", "float32")
                a = R.memory.alloc_tensor(s, 0, R.shape([3]), "float32")
                _ = R.call_packed("one", x, a, sinfo_args=(R.Tuple,))
                return (a, none)

        equal(self, self.run_with(Module), Module)


class Places(unittest.TestCase):
    def test_the_device_of_a_result_is_kept_where_the_body_says_none(self):
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

            @R.function
            def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32", "cuda"):
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
                return y

        self.assertEqual(Module["main"].ret_struct_info.vdevice.target.kind.name, "cuda")
        after = relax.transform.RealizeVDevice()(Module)
        self.assertEqual(after["main"].params[0].struct_info.vdevice.target.kind.name, "cuda")

    def test_every_change_of_layout_has_variables_of_its_own(self):
        @T.prim_func(private=True)
        def other(a: T.Buffer((2, 3), "float32"), b: T.Buffer((2, 3), "float32")):
            for i, j in T.grid(2, 3):
                with T.block("b"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    b[vi, vj] = a[vi, vj] + T.float32(1)

        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def plus(a: T.Buffer((6,), "float32"), b: T.Buffer((6,), "float32")):
                T.func_attr({"operator_name": "own.plus"})
                for i in range(6):
                    with T.block("b"):
                        vi = T.axis.spatial(6, i)
                        b[vi] = a[vi] + T.float32(1)

            @R.function
            def main(x: R.Tensor((6,), "float32")):
                with R.dataflow():
                    y = R.call_tir(Module.plus, (x,), R.Tensor((6,), "float32"))
                    z = R.call_tir(Module.plus, (y,), R.Tensor((6,), "float32"))
                    R.output(z)
                return z

        split = lambda i: (i // 3, i % 3)
        after = relax.transform.AlterOpImpl({"own.plus": other}, {"own.plus": [split, split]})(Module)
        maps = [b.value.attrs["index_map"] for b in after["main"].body.blocks[0].bindings if "layout_transform" in str(getattr(b.value, "op", ""))]
        seen = [v for m in maps for v in m.initial_indices]
        self.assertEqual(len(maps), 4)
        self.assertFalse(any(a.same_as(b) for i, a in enumerate(seen) for b in seen[:i]))


class Weights(unittest.TestCase):
    def module(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((4, 3), "float32")):
                R.func_attr({"num_input": 1})
                with R.dataflow():
                    pair = (w,)
                    t = R.permute_dims(pair[0])
                    y = R.matmul(x, t)
                    z = R.add(R.sum(w), y)
                    R.output(z)
                return z

        return Module

    def test_weights_are_given_up_when_the_option_says_so(self):
        plain = relax.transform.LiftTransformParams()(self.module())["main_transform_params"].script()
        self.assertNotIn("tuple_reset_item", plain)
        with tvm.transform.PassContext(config={"relax.lift_transform_params.consume_params": True}):
            text = relax.transform.LiftTransformParams()(self.module())["main_transform_params"].script()
        self.assertEqual(text.count("tuple_reset_item"), 1)
        self.assertEqual(text.count("model_params[0]"), 1)

    def test_lazy_functions_say_what_they_give(self):
        @I.ir_module
        class Module:
            @R.function
            def transform_params(params: R.Tuple(R.Tensor((2,), "float32"))):
                w = params[0]
                t = R.exp(w)
                return (t,)

        after = relax.transform.LazyTransformParams()(Module)["transform_params"]
        self.assertIsInstance(after.ret_struct_info, relax.TupleStructInfo)
        after = relax.transform.LazyTransformParams(fset_item=None)(Module)["transform_params"]
        self.assertEqual(len(after.ret_struct_info.fields), 1)


class Rules(unittest.TestCase):
    def test_operators_without_rule_stay(self):
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                with R.dataflow():
                    y = R.exp(x)
                    z = R.log(y)
                    R.output(z)
                return z

        op = tvm.ir.Op.get("relax.exp")
        rule = op.get_attr("FLegalize")
        op.reset_attr("FLegalize")
        try:
            self.assertIsNone(op.get_attr("FLegalize"))
            text = relax.transform.LegalizeOps()(Module).script()
            self.assertIn("R.exp", text)
            self.assertNotIn("R.log", text)
        finally:
            op.set_attr("FLegalize", rule)
        self.assertNotIn("R.exp", relax.transform.LegalizeOps()(Module).script())
        self.assertIn("R.exp", relax.transform.LegalizeOps(skip_ops=["relax.exp"])(Module).script())


class Scripts(unittest.TestCase):
    def test_blocks_may_give_nothing(self):
        @R.function
        def func(x: R.Tensor((2,), "float32")):
            with R.dataflow():
                y = R.exp(x)
            return x

        self.assertIsInstance(func.body.blocks[0].bindings[0].var, relax.DataflowVar)

    def test_names_of_scripts_work_between_the_calls_of_a_builder(self):
        from tvm.script.ir_builder import IRBuilder
        from tvm.script.ir_builder import relax as made

        with IRBuilder() as builder:
            with made.function():
                R.func_name("main")
                x = R.arg("x", R.Tensor((2, 3), "float32"))
                with R.dataflow() as frame:
                    R.output(R.emit(R.exp(x)))
                R.func_ret_value(frame.output_vars[0])

        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            with R.dataflow():
                y = R.exp(x)
                R.output(y)
            return y

        equal(self, builder.get(), main)
        with self.assertRaises(RuntimeError):
            R.emit(x)


    def test_a_branch_may_end_with_a_dataflow_block(self):
        @R.function
        def func(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
            if c:
                with R.dataflow():
                    y = R.exp(x)
                    R.output(y)
            else:
                y = R.log(x)
            return y

        first = func.body.blocks[0].bindings[0].value.true_branch
        self.assertIsInstance(first.blocks[0], relax.DataflowBlock)
        self.assertTrue(first.body.same_as(first.blocks[0].bindings[0].var))


class InplaceAnalysis(unittest.TestCase):
    """How long variables live, what they may stand for, and what may be written in place."""

    def setUp(self):
        @I.ir_module
        class Module:
            @R.function
            def pick(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
                return x

            @R.function
            def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((3,), "float32")):
                cls = Module
                w = R.exp(x)
                with R.dataflow():
                    a = R.add(x, y)
                    pair = (a, w)
                    b = pair[0]
                    c = cls.pick(b)
                    d = R.multiply(a, a)
                    e = R.subtract(d, y)
                    f = R.reshape(e, R.shape([3, 2]))
                    g = R.nn.relu(f)
                    R.output(c, g)
                return c, g

        self.mod, self.main = Module, Module["main"]
        self.block = self.main.body.blocks[1]

    def test_lives(self):
        lives = {var.name_hint: life for var, life in dataflow_liveness_analysis(self.block).items()}
        self.assertEqual(lives, {"x": (-1, 8), "y": (-1, 8), "w": (-1, 8), "a": (0, 4), "pair": (1, 1), "b": (2, 3), "c": (3, 8), "d": (4, 5),
                                 "e": (5, 6), "f": (6, 7), "g": (7, 8)})

    def test_places(self):
        places, fields = dataflow_alias_analysis(self.block, self.main.params)
        found = {var.name_hint: one for var, one in places.items()}
        self.assertEqual([found[name] for name in "xyab"], [{0}, {1}, {2}, {2}])
        self.assertEqual(fields, {min(found["pair"]): [{2}, {-1}]})
        self.assertTrue(found["c"] > {2})
        self.assertFalse(found["c"] & found["d"])

    def test_candidates(self):
        fitting, exact = dataflow_inplace_analysis(self.block, self.main.params, self.mod)
        self.assertEqual(exact, [(5, {0}), (7, {0})])
        self.assertEqual(fitting, exact)

    def test_call(self):
        call = self.block.bindings[5].value
        made, mod = dataflow_single_inplace_call(self.mod, call, [0])
        self.assertEqual((made.op.name, made.args[0].name_hint), ("relax.call_tir_inplace", "subtract_inplace"))
        self.assertEqual(sorted(v.name_hint for v in mod.get_global_vars()), ["main", "pick", "subtract_inplace"])
        self.assertEqual(len(mod["subtract_inplace"].params), 2)
        with self.assertRaises(ValueError):
            dataflow_single_inplace_call(self.mod, call, [0, 1])

    def test_nothing_changes(self):
        equal(self, ApplyEmptyCppMutator()(self.mod), self.mod)


class Inplace(unittest.TestCase):
    def call(self, indices, dtype="float32", extent=4):
        x, y = relax.Var("x", relax.TensorStructInfo((extent,), dtype)), relax.Var("y", relax.ObjectStructInfo())
        builder = relax.BlockBuilder()
        with builder.function("main", [x, y]):
            out = relax.TensorStructInfo((4,), "float32")
            made = relax.op.call_tir_inplace(relax.GlobalVar("f"), (x, y), indices, [out] * len(indices) if len(indices) > 1 else out)
            builder.emit_func_output(builder.emit(made))

    def test_outputs_fit_the_arguments_that_they_lie_in(self):
        self.call([0])
        self.call([0, -1])
        for indices in ([-1], [0, 0], [1], [2], [-1, -1]):
            with self.assertRaises(tvm.TVMError):
                self.call(indices)
        for other in ({"dtype": "int32"}, {"extent": 5}):
            with self.assertRaises(tvm.TVMError):
                self.call([0], **other)


class Processes(unittest.TestCase):
    """Memory that several processes see."""

    def sum_of(self, kind):
        @I.ir_module
        class Module:
            @R.function(pure=False)
            def main(x: R.Tensor((4,), "float32")):
                a = R.builtin.alloc_tensor(R.shape([2, 2]), R.dtype("float32"), R.prim_value(0), R.str("global"))
                v = R.reshape(a, (4,))
                b = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
                _ = R.call_packed("runtime.disco.allreduce", v, R.shape([kind]), R.prim_value(True), b)
                return b

        return Module

    def test_sums_take_the_function_that_is_registered(self):
        name = "runtime.disco.cuda_ipc.custom_allreduce"
        equal(self, relax.transform.IPCAllReduceRewrite(2)(self.sum_of(0)), self.sum_of(0))
        tvm.register_func(name, lambda *args: None, override=True)
        try:
            text = relax.transform.IPCAllReduceRewrite(2)(self.sum_of(0)).script()
            self.assertIn(f'"{name}", v, R.prim_value(2), b', text)
            self.assertEqual(text.count("ipc_memory"), 1)
            equal(self, relax.transform.IPCAllReduceRewrite(2)(self.sum_of(1)), self.sum_of(1))
            lowered = relax.transform.LowerGPUIPCAllocStorage()(relax.transform.IPCAllReduceRewrite(2)(self.sum_of(0))).script()
            self.assertEqual(lowered.count("runtime.disco.cuda_ipc.alloc_storage"), 1)
            self.assertNotIn("ipc_memory", lowered)
        finally:
            from tvm.runtime._registry import remove_global_func

            remove_global_func(name)


class Libraries(unittest.TestCase):
    def partition(self, name, shape):
        @R.function
        def main(x: R.Tensor((2, 16), "float16"), w: R.Tensor(("n", 16), "float16"), b: R.Tensor(shape, "float16")):
            with R.dataflow():
                t = R.permute_dims(w)
                y = R.matmul(x, t)
                z = R.add(y, b)
                R.output(z)
            return z

        import importlib

        module = importlib.import_module("tvm.relax.backend.cuda." + name)
        return [v.name_hint for v in getattr(module, "partition_for_" + name)(tvm.IRModule({"main": main})).functions]

    def test_products_go_to_libraries(self):
        self.assertIn("fused_relax_permute_dims_relax_matmul_relax_add_cublas", self.partition("cublas", (1, 1)))
        self.assertIn("fused_relax_permute_dims_relax_matmul_cublas", self.partition("cublas", (2, 1)))
        self.assertEqual(len(self.partition("cutlass", (1, 1))), 1)


if __name__ == "__main__":
    tap.main()
