"""What the public tutorials do with a model: dispatch to a library, a search for a model of fixed shapes, pipelines of a target."""
import tempfile
import unittest

import numpy as np
import tap
import tvm
from tvm import meta_schedule as ms, relax, te, topi
from tvm.relax.backend import cpu_generic
from tvm.relax.backend.cuda import cublas
from tvm.relax.frontend import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 8)
        self.relu = nn.ReLU()
        self.fc2 = nn.Linear(8, 4, bias=False)

    def forward(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def exported():
    return Model().export_tvm({"forward": {"x": nn.spec.Tensor((1, 12), "float32")}})


def values(params):
    rng = np.random.RandomState(0)
    data = [rng.rand(1, 12).astype("float32")] + [rng.rand(*(int(n) for n in p.shape)).astype("float32") for _, p in params]
    return data, np.maximum(data[0] @ data[1].T + data[2], 0) @ data[3].T


def run(mod, data):
    vm = relax.VirtualMachine(tvm.compile(mod, target="llvm"), tvm.cpu())
    return vm["forward"](*[tvm.nd.array(x) for x in data]).numpy()


class Dispatch(unittest.TestCase):
    def test_patterns(self):
        self.assertEqual(len(relax.backend.get_patterns_with_prefix("cublas")), 10)
        mod, _ = exported()
        mod = relax.transform.FuseOpsByPattern([relax.backend.get_pattern("cublas.matmul_transposed_bias_relu")], annotate_codegen=True)(mod)
        made = [f for var, f in mod.functions.items() if f.attrs and "Codegen" in f.attrs]
        self.assertEqual([str(f.attrs["Codegen"]) for f in made], ["cublas"])

    def test_partition(self):
        mod, _ = exported()
        made = [f for f in cublas.partition_for_cublas(mod).functions.values() if f.attrs and "Codegen" in f.attrs]
        self.assertEqual(len(made), 2)

    def test_types_that_do_not_fit(self):
        bb, x, y = relax.BlockBuilder(), *(relax.Var(name, relax.TensorStructInfo((4, 4), "float64")) for name in "xy")
        with bb.function("main", [x, y]):
            with bb.dataflow():
                out = bb.emit_output(relax.op.matmul(x, y))
            bb.emit_func_output(out)
        self.assertEqual(len(cublas.partition_for_cublas(bb.get()).functions), 1)


class Pipelines(unittest.TestCase):
    def test_static_shapes(self):
        mod, params = exported()
        data, expected = values(params)
        with tempfile.TemporaryDirectory() as folder:
            tuned = relax.get_pipeline("static_shape_tuning", target="llvm -num-cores 1", total_trials=2, work_dir=folder)(mod)
            again = relax.get_pipeline("static_shape_tuning", target="llvm -num-cores 1", total_trials=0, work_dir=folder)(mod)
        tvm.ir.assert_structural_equal(tuned, again)
        np.testing.assert_allclose(run(tuned, data), expected, rtol=1e-4)

    def test_cpu(self):
        target = tvm.target.Target("llvm")
        mod, params = exported()
        data, expected = values(params)
        lowered = cpu_generic.get_default_pipeline(target)(mod)
        self.assertNotIn("R.dataflow", lowered.script())
        np.testing.assert_allclose(run(relax.get_pipeline("zero")(mod), data), expected, rtol=1e-4)
        groups = [group(target) for group in (cpu_generic.legalize_passes, cpu_generic.dataflow_lower_passes, cpu_generic.finalize_passes)]
        self.assertEqual([len(group) for group in groups], [5, 4, 7])


class CustomRules(unittest.TestCase):
    def test_unknown(self):
        """A block that asks for a rule that nobody registered is searched like the others."""
        A = te.placeholder((1, 4, 8, 8), name="A")
        B = topi.nn.pool2d(A, [2, 2], [2, 2], [1, 1], [0, 0, 0, 0], "max")
        mod = tvm.IRModule({"main": te.create_prim_func([A, B]).with_attr("global_symbol", "main")})
        context = ms.TuneContext(mod, target=tvm.target.Target("llvm -num-cores 1"), space_generator="post-order-apply")
        designs = context.generate_design_space()
        self.assertTrue(designs)
        for design in designs:
            self.assertNotIn("schedule_rule", design.mod.script())


if __name__ == "__main__":
    tap.main()
