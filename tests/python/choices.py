"""Choices between transformations: knobs, traces, the database of times, passes that choose."""
import os
import tempfile
import unittest

import tap
import tvm
from tvm import relax
from tvm.ir import transform
from tvm.ir.transform import PassContext
from tvm.relax.transform import tuning_api as api
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        with R.dataflow():
            y = R.add(R.const([1.0, 2.0], "float32"), R.const([3.0, 4.0], "float32"))
            z = R.multiply(x, y)
            R.output(z)
        return z


@tvm.register_func("tests.choices.fold", override=True)
def fold(mod):
    return relax.transform.FoldConstant()(mod)


@tvm.register_func("tests.choices.has", override=True)
def has(mod, n):
    return len(mod.functions) == n


def count(candidates, ctx):
    fresh = [candidate for candidate in candidates if candidate.perf == -1]
    for i, candidate in enumerate(fresh):
        candidate.set_perf(100 - i)
    ctx.inc_num_evals(len(fresh))


@transform.module_pass(opt_level=0, traceable=True)
class Choosing(transform.Pass):
    def __init__(self, inner=()):
        self.inner = list(inner)

    def transform_module(self, mod, ctx):
        knob = api.Knob("k", {"fold": api.Choice("tests.choices.fold"), "leave": api.Choice()})
        candidates = api.default_generate_candidate([knob], ctx.pop_trace(), self.inner)
        count(candidates, ctx)
        best = api.select_best_candidate(candidates)
        ctx.push_trace(best)
        return best.out_mod


class Decisions(unittest.TestCase):
    def test_conditions(self):
        folded = fold(Module)
        for n, expected in ((1, folded), (5, Module)):
            choice = api.Choice("tests.choices.fold", [], "tests.choices.has", [n])
            tvm.ir.assert_structural_equal(api.Choice.from_json(choice.as_json()).apply_transform_func(Module), expected)

    def test_knobs(self):
        knob = api.Knob("k", [api.Choice(), api.Choice("tests.choices.fold")])
        self.assertEqual([knob.verify(x) for x in (0, "1", 2)], [True, True, False])
        with self.assertRaises(ValueError):
            knob.apply(Module, 2)

    def test_traces(self):
        knob = api.Knob("k", {"a": api.Choice(), "b": api.Choice("tests.choices.fold")})
        trace = api.Trace(Module, [knob], ["a"])
        trace.set_perf(3)
        tvm.ir.assert_structural_equal(trace.add(knob, "b"), fold(Module))
        self.assertEqual([trace.size, trace.perf], [2, -1])
        again = api.Trace.from_json(trace.as_json())
        self.assertEqual(str(again), str(trace))
        tvm.ir.assert_structural_equal(again.out_mod, trace.out_mod)

    def test_passes_multiply_and_add_candidates(self):
        heuristic = relax.transform.FoldConstant()
        for step, measured, size in ((Choosing(), 2, 1), (Choosing([heuristic]), 2, 2), (Choosing([Choosing([Choosing()])]), 8, 3),
                                     (transform.Sequential([Choosing(), heuristic, Choosing()]), 4, 3)):
            with PassContext(trace=api.Trace(Module), make_traceable=["FoldConstant"]) as ctx:
                step(Module)
                self.assertEqual([ctx.num_evals, ctx.get_trace_stack_size(), ctx.get_current_trace().size], [measured, 1, size])


@tap.needs_numpy
class Times(unittest.TestCase):
    def test_database(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("w", "t", "m")]
            target = tvm.target.Target("llvm")
            database = api.JSONDatabase(*paths)
            workload = database.commit_workload(Module)
            database.commit_measurement_record(workload, target, [2.0, 1.0])
            for secs in ([3.0], [1.0], [2.0]):
                database.commit_tuning_record(workload, target, api.TuningRecord(api.Trace(Module), secs))
            again = api.JSONDatabase(*paths)
            self.assertEqual(again.commit_workload(Module), workload)
            self.assertEqual(again.get_measurement_record(workload, target), [2.0, 1.0])
            self.assertEqual([r.run_secs for r in again.get_top_k(workload, target, 2)], [[1.0], [2.0]])
            self.assertEqual(again.get_measurement_record(again.commit_workload(fold(Module)), target), [])

    def test_measuring(self):
        trace = api.Trace(Module)
        with PassContext(trace=trace) as ctx:
            candidates = api.default_generate_candidate([api.Knob("k", [api.Choice(), api.Choice("tests.choices.fold")])], trace)
            api.default_evaluate(candidates, "llvm")
            api.default_evaluate(candidates, "llvm")
            self.assertEqual(ctx.num_evals, 2)
            self.assertTrue(all(candidate.perf > 0 for candidate in candidates))


if __name__ == "__main__":
    tap.main()
