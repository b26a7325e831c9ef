"""relax.frontend.nn: modules of layers, what export_tvm makes of them, and that they compute what they say."""
import unittest

import numpy as np
import tap
import tvm
from tvm import relax, tir
from tvm.ir import assert_structural_equal
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import Tensor, core, modules, op, spec
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


def floats(*shape):
    return spec.Tensor(shape, "float32")


class Export(unittest.TestCase):
    def test_linear_with_and_without_effects(self):
        @I.ir_module
        class Expected:
            @R.function
            def forward(x: R.Tensor(("n", 4), "float32"), weight: R.Tensor((8, 4), "float32"), bias: R.Tensor((8,), "float32")):
                R.func_attr({"num_input": 1})
                with R.dataflow():
                    w = R.permute_dims(weight, axes=None)
                    y = R.matmul(x, w, out_dtype="void")
                    z = R.add(y, bias)
                    out = z
                    R.output(out)
                return out

        mod, params = modules.Linear(4, 8).export_tvm(spec={"forward": {"x": floats("n", 4)}})
        assert_structural_equal(mod, Expected, True)
        self.assertEqual([name for name, _ in params], ["weight", "bias"])

        @R.function
        def with_effect(x: R.Tensor((1, 4), "float32"), _io: R.Object, weight: R.Tensor((8, 4), "float32")):
            R.func_attr({"num_input": 2})
            with R.dataflow():
                w = R.permute_dims(weight, axes=None)
                y = R.matmul(x, w, out_dtype="void")
                out = y, (_io,)
                R.output(out)
            return out

        mod, _ = modules.Linear(4, 8, bias=False).export_tvm(spec={"forward": {"x": floats(1, 4)}}, debug=True)
        assert_structural_equal(mod["forward"], with_effect.with_attr("global_symbol", "forward"), True)
        self.assertIn("_initialize_effect", [gvar.name_hint for gvar in mod.functions])

    def test_packed_parameters_and_numbers(self):
        class Model(nn.Module):
            def __init__(self):
                self.a = nn.Parameter((4,), "float32")
                self.b = nn.Parameter((4,), "float32")

            def forward(self, x: Tensor, n: tir.Var):
                return op.add(op.add(x, self.a), op.broadcast_to(self.b, [n, 4]))

        @R.function
        def expected(x: R.Tensor((4,), "float32"), n: R.Shape(["n_1"]), packed_params: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
            n_1 = T.int64()
            R.func_attr({"num_input": 2})
            with R.dataflow():
                a = packed_params[0]
                b = packed_params[1]
                y = R.add(x, a)
                z = R.broadcast_to(b, R.shape([n_1, 4]))
                w = R.add(y, z)
                out = w
                R.output(out)
            return out

        mod, _ = Model().export_tvm(spec={"forward": {"x": floats(4), "n": int, "$": {"param_mode": "packed", "effect_mode": "none"}}})
        assert_structural_equal(mod["forward"], expected.with_attr("global_symbol", "forward"), True)

    def test_tuples_of_tensors(self):
        for kind in (tuple, list):
            class Model(nn.Module):
                def forward(self, x: kind):
                    return kind([op.add(*x), op.chunk(x[0], 2)])

            mod, _ = Model().export_tvm(spec={"forward": {"x": kind([floats(4), floats(4)])}})
            info = mod["forward"].ret_struct_info
            self.assertEqual(len(info.fields), 2)
            self.assertEqual([int(x.shape[0]) for x in info.fields[1].fields], [2, 2])

    def test_every_layer_has_the_shape_it_says(self):
        rows = [
            (modules.Conv1D(3, 6, 3), floats(1, 3, 32), (1, 6, 30)), (modules.Conv2D(3, 6, 3, padding=1), floats(1, 3, 8, 8), (1, 6, 8, 8)),
            (modules.Conv2D(4, 8, 3, groups=2), floats(1, 4, 8, 8), (1, 8, 6, 6)), (modules.Conv3D(3, 6, 3), floats(1, 3, 8, 8, 8), (1, 6, 6, 6, 6)),
            (modules.ConvTranspose1D(3, 6, 3), floats(1, 3, 30), (1, 6, 32)), (modules.LayerNorm(8), floats(2, 8), (2, 8)),
            (modules.RMSNorm(8, [1]), floats(2, 8), (2, 8)), (modules.GroupNorm(2, 4), floats(2, 4, 8), (2, 4, 8)),
            (modules.Embedding(9, 5), spec.Tensor((2, 3), "int32"), (2, 3, 5)), (modules.Timesteps(10), floats(3), (3, 10)),
            (modules.TimestepEmbedding(8, 16), floats(2, 8), (2, 16)), (modules.Attention(16, heads=2, dim_head=4), floats(1, 6, 16), (1, 6, 16)),
        ]
        for layer, given, shape in rows:
            name = list(__import__("inspect").signature(layer.forward).parameters)[0]
            mod, _ = layer.export_tvm(spec={"forward": {name: given}})
            self.assertEqual(tuple(int(x) for x in mod["forward"].ret_struct_info.shape), shape, layer)
        mod, _ = modules.MultiLinear(4, [2, 3, 5]).export_tvm(spec={"forward": {"x": floats(1, 4)}})
        self.assertEqual([int(x.shape[1]) for x in mod["forward"].ret_struct_info.fields], [2, 3, 5])

    def test_programs_of_ones_own(self):
        @T.prim_func(private=True)
        def twice(a: T.handle, b: T.handle, k: T.int64):
            n = T.int64()
            A = T.match_buffer(a, (n,), "float32")
            B = T.match_buffer(b, (n,), "float32")
            for i in range(n):
                with T.block("b"):
                    v = T.axis.spatial(n, i)
                    B[v] = A[v] * T.float32(2)

        class Model(nn.Module):
            def forward(self, x: Tensor, k: tir.Var):
                y = op.tensor_ir_op(twice, "twice", [x, k], Tensor.placeholder(x.shape, x.dtype))
                z = op.tensor_ir_inplace_op(twice, "twice", [y, x, k], [1], Tensor.placeholder(x.shape, x.dtype))
                return op.extern("my.func", [z, 3, 1.5, "s"], Tensor.placeholder((2,), "int32"))

        text = Model().export_tvm(spec={"forward": {"x": floats("n"), "k": int}})[0].script()
        self.assertIn('R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((n,), dtype="float32"), tir_vars=R.shape([k_1]))', text)
        self.assertIn("inplace_indices=[1], tir_vars=R.shape([k_1]))", text)
        self.assertIn('R.call_dps_packed("my.func", (lv1, R.prim_value(3), R.prim_value(T.float64(1.5)), R.str("s")), out_sinfo=R.Tensor((2,), dtype="int32"))', text)

    def test_subroutines(self):
        class Inner(nn.Module):
            define_subroutine = True

            def __init__(self, n):
                self.weight = nn.Parameter((n, 4), "float32")

            def forward(self, x: relax.Expr):
                return op.matmul(x, self.weight)

        class Model(nn.Module):
            def __init__(self):
                self.a, self.b, self.c = Inner(4), Inner(4), Inner(6)

            def forward(self, x: relax.Expr, y: relax.Expr):
                return op.add(self.b(self.a(x)), self.c(y))

        mod, _ = Model().export_tvm(spec={"forward": {"x": floats("n", 4), "y": floats("n", 6)}})
        self.assertEqual(sorted(gvar.name_hint for gvar in mod.functions), ["forward", "inner", "inner1"])
        self.assertTrue(relax.analysis.well_formed(mod))


class Builder(unittest.TestCase):
    def test_functions_inside_functions(self):
        builder = relax.BlockBuilder()
        x, y = (relax.Var(name, relax.TensorStructInfo([2], "float32")) for name in "xy")
        with builder.function("outer", [x]):
            with builder.dataflow():
                a = builder.emit(relax.op.add(x, x))
                with builder.function("inner", [y], private=True):
                    inner = builder.emit_func_output(relax.op.exp(y))
                out = builder.emit_output(relax.Call(inner, [a]))
            builder.emit_func_output(out)
        mod = builder.get()
        self.assertTrue(relax.analysis.well_formed(mod))
        self.assertEqual(len(mod["outer"].body.blocks), 1)
        self.assertIsNone(mod["inner"].attrs.get("global_symbol") if mod["inner"].attrs else None)

    def test_a_function_without_result_is_forgotten(self):
        builder = relax.BlockBuilder()
        x = relax.Var("x", relax.TensorStructInfo([2], "float32"))
        with self.assertRaises(RuntimeError):
            with builder.function("first", [x]):
                builder.emit(relax.op.add(x, x))
        with self.assertRaises(KeyError):
            with builder.function("second", [x]), builder.dataflow():
                raise KeyError
        with builder.function("third", [x]):
            builder.emit_func_output(builder.emit(relax.op.add(x, x)))
        self.assertEqual([gvar.name_hint for gvar in builder.get().functions], ["third"])

    def test_finished_functions_have_the_names_that_they_say(self):
        builder = relax.BlockBuilder()
        with builder.function("func", [], private=True):
            gvar = builder.emit_func_output(relax.const(0, "int64"))
        with builder.function("func", []):
            builder.emit_func_output(builder.emit(relax.Call(gvar, [])))
        self.assertFalse(relax.analysis.well_formed(builder.get()))
        self.assertTrue(relax.analysis.well_formed(builder.finalize()))

    def test_what_none_stands_for(self):
        x = relax.Var("x", relax.TensorStructInfo([1, 3, 4, 4], "float32"))
        self.assertEqual(str(relax.op.matmul(x, x, out_dtype=None)), 'R.matmul(x, x, out_dtype="void")')
        self.assertIn('roi=[T.float32(0.0), T.float32(0.0), T.float32(0.0), T.float32(0.0)], layout="NCHW"', str(relax.op.image.resize2d(x, (8, 8))))
        f = relax.GlobalVar("f")
        info = relax.TensorStructInfo([4], "float32")
        self.assertEqual(relax.call_tir(f, (x,), [info]).struct_info_ or relax.call_tir(f, (x,), [info]).sinfo_args[0], info)


class Parts(unittest.TestCase):
    def test_names_values_and_types(self):
        class Model(nn.Module):
            def __init__(self):
                self.layers = nn.ModuleList([nn.Linear(2, 2, bias=False) for _ in range(2)])
                self.named = nn.ModuleDict({"out": nn.Linear(2, 1)})

            def forward(self, x):
                return self.named["out"](self.layers(x))

        model = Model()
        self.assertEqual([name for name, _ in model.named_parameters()], ["layers.0.weight", "layers.1.weight", "named.out.weight", "named.out.bias"])
        model.to("float16")
        self.assertEqual({param.dtype for param in model.parameters()}, {"float16"})
        weight = model.layers[0].weight
        weight.data = np.zeros((2, 2), "float16")
        self.assertRaises(ValueError, weight.to, "float32")
        with self.assertRaises(ValueError):
            weight.data = np.zeros((3, 2), "float16")
        with self.assertRaises(ValueError):
            weight.data = np.zeros((2, 2), "float32")
        other = Model()
        other.to("float16")
        missing, unexpected = other.load_state_dict({"layers.0.weight": weight, "nothing": weight}, strict=False)
        self.assertEqual((len(missing), unexpected), (3, ["nothing"]))
        self.assertRaises(KeyError, other.load_state_dict, {"layers.0.weight": weight})

    def test_operators_of_tensors(self):
        class Model(nn.Module):
            def forward(self, x: Tensor, y: Tensor):
                return x + y, 1 - x, x / 2, -1 * y, x < y, x.astype("float16"), x.maximum(y), x.reshape(2, 5), x.permute_dims(0, 1), x.repeat(2, axis=0)

        fields = Model().export_tvm(spec={"forward": {"x": floats(10, 1), "y": floats(10, 1)}})[0]["forward"].ret_struct_info.fields
        self.assertEqual([x.dtype for x in fields], ["float32"] * 4 + ["bool", "float16"] + ["float32"] * 4)
        self.assertEqual([int(x) for x in fields[-1].shape], [20, 1])

    def test_mutator(self):
        class Part(nn.Module):
            def __init__(self):
                self.fc1, self.fc2 = nn.Linear(2, 2), nn.Linear(2, 2)

        class Model(nn.Module):
            def __init__(self):
                self.parts, self.cache = nn.ModuleList([Part(), Part()]), nn.KVCache(8, [2])

        seen = []

        class Mutator(nn.Mutator):
            def visit_module(self, name, node):
                seen.append(name)
                return nn.Identity() if isinstance(node, nn.Linear) else self.visit(name, node)

            def visit_effect(self, name, node):
                seen.append(name)
                return node

        model = Mutator().visit("model", Model())
        self.assertIsInstance(model.parts[1].fc2, nn.Identity)
        self.assertEqual(seen, ["model.parts.0", "model.parts.0.fc1", "model.parts.0.fc2", "model.parts.1", "model.parts.1.fc1", "model.parts.1.fc2", "model.cache"])

    def test_cache_is_an_effect(self):
        class Model(nn.Module):
            def __init__(self):
                self.cache = nn.KVCache(8, [2, 4])

            def forward(self, x: core.Tensor):
                self.cache.append(x)
                return self.cache.view(4)

        text = Model().export_tvm(spec={"forward": {"x": floats(2, 4)}})[0].script()
        self.assertIn('R.call_inplace_packed("vm.builtin.attention_kv_cache_append", cache, x, inplace_indices=[0], sinfo_args=(R.Object,))', text)

    def test_refusals_name_what_is_wrong(self):
        class Model(nn.Module):
            def forward(self, x: Tensor):
                op.print_(x)
                return x

        with self.assertRaisesRegex(RuntimeError, "debug mode"):
            Model().export_tvm(spec={"forward": {"x": floats(1)}})
        with self.assertRaisesRegex(TypeError, "argument x"):
            Model().export_tvm(spec={"forward": {"x": 3.5}})
        with self.assertRaisesRegex(ValueError, "param_mode"):
            Model().export_tvm(spec={"forward": {"x": floats(1), "$": {"param_mode": "other"}}})


class Run(unittest.TestCase):
    def test_debug_functions_see_the_values(self):
        seen = []
        tvm.register_func("layers.seen", lambda line, x: seen.append((line, x.numpy().copy())), override=True)

        class Model(nn.Module):
            def forward(self, x: Tensor):
                y = x + x
                op.debug_func("layers.seen", y)
                return y * y

        mod, _ = Model().export_tvm(spec={"forward": {"x": floats(2)}}, debug=True)
        vm = relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        result, _ = vm["forward"](tvm.nd.array(np.array([1, 2], "float32")), *vm["_initialize_effect"]())
        np.testing.assert_allclose(result.numpy(), [4, 16])
        self.assertEqual(len(seen), 1)
        self.assertIn("layers.py:", seen[0][0])
        np.testing.assert_allclose(seen[0][1], [2, 4])

    def test_top_p(self):
        class Model(nn.Module):
            def forward(self, prob: Tensor, sorted_prob: Tensor, top_p: Tensor, top_k: Tensor):
                return op.renormalize_top_p_top_k_prob(prob, sorted_prob, top_p, top_k)

            def sample(self, prob: Tensor, index: Tensor, top_p: Tensor, top_k: Tensor, uniform: Tensor, rows: Tensor):
                return op.sample_top_p_top_k_from_sorted_prob(prob, index, top_p, top_k, uniform, rows)

        ints = lambda *shape: spec.Tensor(shape, "int64")
        mod, _ = Model().export_tvm(spec={
            "forward": {"prob": floats(2, 3), "sorted_prob": floats(2, 3), "top_p": floats(2, 1), "top_k": ints(2, 1)},
            "sample": {"prob": floats(2, 3), "index": ints(2, 3), "top_p": floats(2, 1), "top_k": ints(2, 1), "uniform": floats(3, 1), "rows": ints(3, 1)}})
        vm = relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())
        array = lambda x, dtype="float32": tvm.nd.array(np.array(x, dtype))
        got = vm["forward"](array([[0.2, 0.3, 0.5], [0.3, 0.3, 0.4]]), array([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]]), array([[0.6], [0.9]]), array([[3], [2]], "int64"))
        np.testing.assert_allclose(got.numpy(), [[0, 0.375, 0.625], [0.3, 0.3, 0.4]], rtol=1e-5)
        got = vm["sample"](array([[0.5, 0.4, 0.1], [0.4, 0.3, 0.3]]), array([[2, 1, 0], [2, 0, 1]], "int64"), array([[0.6], [0.9]]), array([[3], [2]], "int64"),
                           array([[0.5], [0.6], [0.7]]), array([[0], [1], [1]], "int64"))
        np.testing.assert_array_equal(got.numpy(), [[2], [0], [0]])

    def test_jit_for_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("python3-torch is not installed")
        layer = nn.Linear(4, 3)
        layer.weight.data, layer.bias.data = np.ones((3, 4), "float32"), np.full(3, 2, "float32")
        model = layer.jit(spec={"forward": {"x": floats(2, 4)}})
        np.testing.assert_allclose(model["forward"](torch.ones(2, 4)).numpy(), np.full((2, 3), 6))
        self.assertRaises(ValueError, lambda: model["backward"])
        with self.assertRaisesRegex(ValueError, "weight"):
            nn.Linear(1, 1).jit(spec={"forward": {"x": floats(1, 1)}})


if __name__ == "__main__":
    tap.main()
