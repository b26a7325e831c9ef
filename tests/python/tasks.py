"""Which functions of a Relax module are tuned, under which names, and how what was found comes back into the module."""
import tempfile
import unittest

import tap
import tvm
from tvm import meta_schedule as ms
from tvm import relax
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T
from tvm.target import Target
from tvm.tir import Schedule

CPU = Target("llvm --num-cores=1")


@I.ir_module
class Twice:
    """scale is called twice, shift once, idle never."""

    @T.prim_func
    def scale(x: T.handle, y: T.handle):
        A = T.match_buffer(x, (8, 16))
        B = T.match_buffer(y, (8, 16))
        for i, j in T.grid(8, 16):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(3)

    @T.prim_func
    def shift(x: T.handle, y: T.handle):
        A = T.match_buffer(x, (8, 16))
        B = T.match_buffer(y, (8, 16))
        for i, j in T.grid(8, 16):
            with T.block("shift"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)

    @T.prim_func
    def idle(x: T.handle):
        A = T.match_buffer(x, (8, 16))
        for i, j in T.grid(8, 16):
            with T.block("idle"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = T.float32(0)

    @R.function
    def main(x: R.Tensor((8, 16), "float32")) -> R.Tensor((8, 16), "float32"):
        cls = Twice
        with R.dataflow():
            lv0 = R.call_tir(cls.shift, (x,), R.Tensor((8, 16), dtype="float32"))
            lv1 = R.call_tir(cls.scale, (lv0,), R.Tensor((8, 16), dtype="float32"))
            lv2 = R.call_tir(cls.scale, (lv1,), R.Tensor((8, 16), dtype="float32"))
            R.output(lv2)
        return lv2


@T.prim_func
def renamed(A: T.Buffer((8, 16), "float32"), B: T.Buffer((8, 16), "float32")):
    T.func_attr({"global_symbol": "scale", "tir.noalias": True})
    for i, j in T.grid(8, 16):
        with T.block("other"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(3)


def recorded(func):
    """A database that knows: the outer loop of `func` runs in parallel."""
    database = ms.database.MemoryDatabase()
    workload = database.commit_workload(ms.utils.normalize_mod(func))
    sch = Schedule(workload.mod)
    sch.parallel(sch.get_loops(sch.get_block("scale"))[0])
    database.commit_tuning_record(ms.database.TuningRecord(sch.trace, workload, [1.0], CPU, None))
    return database


class Extraction(unittest.TestCase):
    def test_what_is_called_by_the_number_of_calls(self):
        tasks = ms.relax_integration.extract_tasks(Twice, CPU)
        self.assertEqual([(task.task_name, task.weight) for task in tasks], [("shift", 1), ("scale", 2)])

    def test_functions_keep_their_symbol(self):
        (task,) = [task for task in ms.relax_integration.extract_tasks(Twice, CPU) if task.task_name == "scale"]
        self.assertEqual(task.mod["main"].attrs["global_symbol"], "scale")

    def test_all_functions_without_relax(self):
        bare = tvm.IRModule({"scale": Twice["scale"], "idle": Twice["idle"]})
        self.assertEqual(sorted(task.task_name for task in ms.relax_integration.extract_tasks(bare, CPU)), ["idle", "scale"])

    def test_one_function_of_a_module_is_called_main(self):
        made = ms.utils.normalize_mod(tvm.IRModule({"scale": Twice["scale"]}))
        self.assertEqual([var.name_hint for var in made.functions], ["main"])


class Passes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def records(self):
        return ms.database.JSONDatabase(work_dir=self.folder.name).get_all_tuning_records()

    def test_names_choose_functions(self):
        with CPU:
            relax.transform.MetaScheduleTuneIRMod({}, self.folder.name, 4, max_trials_per_task=1, op_names=["shi"])(Twice)
        self.assertEqual([record.workload.mod["main"].attrs["global_symbol"] for record in self.records()], ["shift"])

    def test_each_function_gets_the_trials(self):
        with CPU:
            pass_made_here = relax.transform.MetaScheduleTuneTIR(self.folder.name, 1)
        pass_made_here(Twice)
        self.assertEqual(sorted(str(record.workload.mod["main"].attrs["global_symbol"]) for record in self.records()), ["idle", "scale", "shift"])

    def test_no_trials_need_no_compiler(self):
        with Target("nvidia/geforce-rtx-3090"):
            self.assertTrue(tvm.ir.structural_equal(relax.transform.MetaScheduleTuneTIR(self.folder.name, 0)(Twice), Twice))
        self.assertEqual(len(self.records()), 0)


class Application(unittest.TestCase):
    def test_attributes_stay_the_functions_own(self):
        with recorded(Twice["scale"]), CPU:
            made = relax.transform.MetaScheduleApplyDatabase()(Twice)
        self.assertEqual({key: str(value) for key, value in made["scale"].attrs.items()}, {"global_symbol": "scale", "tir.is_scheduled": "T.bool(True)"})
        self.assertIn("for i in T.parallel(8):", made["scale"].script())
        self.assertNotIn("tir.is_scheduled", made["shift"].attrs)

    def test_blocks_may_have_other_names(self):
        with recorded(Twice["scale"]), CPU:
            made = relax.transform.MetaScheduleApplyDatabase()(tvm.IRModule({"scale": renamed}))
        self.assertIn("T.parallel(8)", made["scale"].script())

    def test_the_entered_database_comes_before_the_folder(self):
        with tempfile.TemporaryDirectory() as folder, recorded(Twice["scale"]), CPU:
            made = relax.transform.MetaScheduleApplyDatabase(folder)(Twice)
        self.assertIn("T.parallel(8)", made["scale"].script())

class RulesByKind(unittest.TestCase):
    """The lists of rules that TVM has by kinds of processors."""

    def test_intrinsics_of_x86(self):
        from tvm import meta_schedule as ms, te

        x, w = te.placeholder((64, 64), "uint8", name="X"), te.placeholder((64, 64), "int8", name="W")
        k = te.reduce_axis((0, 64), name="k")
        product = te.compute((64, 64), lambda i, j: te.sum(x[i, k].astype("int32") * w[j, k].astype("int32"), axis=k), name="C")
        mod = tvm.IRModule({"main": te.create_prim_func([x, w, product])})
        for kind, cpu in (("vnni", "cascadelake"), ("avx512", "skylake-avx512")):
            context = ms.TuneContext(mod=mod, target=tvm.target.Target(f"llvm -mcpu={cpu} -num-cores=4"), num_threads=1,
                                     space_generator=ms.space_generator.PostOrderApply(sch_rules=ms.ScheduleRule.create(kind), postprocs=[], mutator_probs={}))
            designs = context.generate_design_space()
            self.assertTrue(designs)
            self.assertTrue(all(f"dot_16x4_{kind}" in str(design.trace) for design in designs), kind)
            self.assertIn("RewriteTensorize", [type(one).__name__ for one in ms.Postproc.create(kind)])
            self.assertAlmostEqual(sum(ms.Mutator.create(kind).values()), 1)

    def test_long_vectors(self):
        from tvm import meta_schedule as ms

        self.assertIn("MultiLevelTilingWideVector", [type(one).__name__ for one in ms.ScheduleRule.create("hexagon")])
        with self.assertRaisesRegex(ValueError, "vnni"):
            ms.ScheduleRule.create("abacus")


if __name__ == "__main__":
    tap.main()
