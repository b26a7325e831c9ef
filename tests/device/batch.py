"""Candidates of a search that travel as a bundle and come back as result.json: with the driver of this folder (the simulator behind CUDA's interface) and on
OpenCL where there is one; and what comes back damaged, from another program or another device, twice, or with kernels that were killed or hang."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "python"))
import tap  # noqa: E402

BUILD = os.environ["LS_BUILD_ROOT"]
OBJECTS = tempfile.TemporaryDirectory(prefix="loopscope-objects-")
CLI = os.path.join(BUILD, "app/cli/loopscope-cli")
PROGRAM = '''from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((256,), "float32"), C: T.Buffer((256,), "float32")):
    T.func_attr({"tir.noalias": True})
    for i in range(256):
        with T.block("C"):
            vi = T.axis.spatial(256, i)
            C[vi] = A[vi] * T.float32(2)
'''
STEPS = '''i, = sch.get_loops(sch.get_block("C"))
f0, f1 = sch.sample_perfect_tile(i, n=2, max_innermost_factor=64)
i0, i1 = sch.split(i, factors=[f0, f1])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
'''


class Batch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="batch-")
        self.program = self.write("program.py", PROGRAM)
        self.steps = self.write("steps.py", STEPS)
        self.database = self.path("db")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def search(self, *options, target="cuda", program=None, database=None):
        command = [CLI, "search", program or self.program, "--target", target, "--database", database or self.database, "--json", *options]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)

    def did(self, *options, **more):
        run = self.search(*options, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def refused(self, said, *options, **more):
        run = self.search(*options, **more)
        self.assertGreater(run.returncode, 0, run.stdout)
        self.assertIn(said, run.stderr)

    def export(self, n, name="out", **more):
        return self.did("--steps", self.steps, "--trials", str(n), "--export-batch", self.path(name), **more)

    def measure(self, name="out", fake="", *options):
        """./run there; the path of its result."""
        env = dict(os.environ) | {"CFLAGS": "-O0", "CC": os.path.join(os.environ["LS_SOURCE_ROOT"], "tests/device/cc"), "LS_TEST_OBJECTS": OBJECTS.name}
        if fake is not None:
            env |= {"LD_LIBRARY_PATH": os.path.join(BUILD, "tests/device"), "LS_FAKE_CUDA": fake}
        subprocess.run(["./run", "--no-tools", "--quick", "--seconds", "0.02", *options], cwd=self.path(name), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=200, check=False)
        return os.path.join(self.path(name), "result.json")

    def back(self, result, *options, **more):
        return self.did("--import-batch", result, *options, **more)

    def records(self):
        with open(os.path.join(self.database, "database_tuning_record.json"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def names(self, name="out"):
        return sorted(file[:-3] for file in os.listdir(os.path.join(self.path(name), "programs")) if file != "original.py")

    def rows(self):
        """A program whose number of rows is not known, and steps for it."""
        self.steps = self.write("rows_steps.py", STEPS.replace("i, = sch", "r, i = sch").replace('sch.bind(i0, "blockIdx.x")', 'sch.bind(r, "blockIdx.y")\nsch.bind(i0, "blockIdx.x")'))
        return self.write("rows.py", PROGRAM.split("def main(")[0] + '''def main(a: T.handle, c: T.handle):
    T.func_attr({"tir.noalias": True})
    n = T.int32()
    A = T.match_buffer(a, (n, 256))
    C = T.match_buffer(c, (n, 256))
    for r, i in T.grid(n, 256):
        with T.block("C"):
            vr, vi = T.axis.remap("SS", [r, i])
            C[vr, vi] = A[vr, vi] * T.float32(2)
''')

    # ---- as it is meant -----------------------------------------------------------------

    def test_on_this_machine(self):
        """The same without travelling: the GPU is here, and what a kernel does wrong is told of its program."""
        def here(fake, *options):
            library = os.path.join(BUILD, "tests/device")
            env = dict(os.environ) | {"LD_LIBRARY_PATH": library, "LS_FAKE_CUDA": fake, "LS_JAIL_READ": library}
            command = [CLI, "search", *options, "--target", "cuda", "--database", self.database, "--trials", "2", "--budget-ms", "20", "--json"]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False, env=env)
            self.assertTrue(run.stdout, run.stderr)
            return json.loads(run.stdout)

        bad = here("cuLaunchKernel=crash", self.program, "--steps", self.steps)
        self.assertEqual(["Its process was ended by signal 11" in c["error"] for c in bad["candidates"]], [True, True])
        program = self.rows()
        for n in (3, 5):
            good = here("", program, "--steps", self.steps, "--set", f"n={n}")
            self.assertEqual((good["measured"], good["remembered"]), (2, 0))
        tags = [record[1][2]["tag"] for record in self.records()]
        self.assertEqual(sorted(set(tags)), ["kind/cuda-simulated-threads-no-GPU" + sizes for sizes in ("", "-n=3", "-n=5")])

    def test_there_and_back(self):
        given = self.export(3)
        self.assertEqual((given["given"], given["unfit"]), (3, 0))
        self.assertEqual(len(self.names()), 3)
        result = self.measure()
        with open(result, encoding="utf-8") as file:
            for step in json.load(file)["steps"]:
                self.assertNotIn("time_flushed", step)          # --quick
        answer = self.back(result)
        self.assertEqual((answer["measured"], answer["failed"], answer["again"], answer["unknown"]), (3, 0, 0, 0))
        self.assertEqual(answer["kind"], "cuda-simulated-threads-no-GPU")
        self.assertEqual(len(answer["candidates"]), 3)
        self.assertIn("sample_perfect_tile", answer["best"]["trace"])
        records = self.records()
        self.assertEqual(len(records), 3)
        for record in records:
            self.assertEqual(record[1][2]["tag"], "kind/cuda-simulated-threads-no-GPU")
            self.assertLess(record[1][1][0], 1e9)

    def test_the_next_batch(self):
        """It has none of the programs of the first, and the two commands can be one."""
        self.export(2)
        answer = self.did("--import-batch", self.measure(), "--steps", self.steps, "--trials", "2", "--export-batch", self.path("next"))
        self.assertEqual((answer["measured"], answer["given"]), (2, 2))
        hashes = [{name.split("_")[1] for name in self.names(folder)} for folder in ("out", "next")]
        self.assertFalse(hashes[0] & hashes[1])
        answer = self.back(self.measure("next"))
        self.assertEqual(len(answer["candidates"]), 4)

    def test_two_batches_travel(self):
        self.export(2, "one")
        second = self.export(2, "two")
        self.assertEqual(second["waiting"], 2)
        self.assertFalse({name.split("_")[1] for name in self.names("one")} & {name.split("_")[1] for name in self.names("two")})
        self.back(self.measure("two"))
        self.assertEqual(len(self.back(self.measure("one"))["candidates"]), 4)

    def test_the_space_is_empty(self):
        """256 has seven splits with up to 64 threads; the eighth is not there."""
        self.assertEqual(self.export(20)["given"], 7)
        self.refused("the steps give no candidate that is not measured or given out already", "--steps", self.steps, "--export-batch", self.path("more"))

    def test_the_rules_for_threads(self):
        """Without steps meta_schedule's rules draw programs, which a GPU measures here or elsewhere; each is another one, and the seed decides which."""
        library = os.path.join(BUILD, "tests/device")
        env = dict(os.environ) | {"LD_LIBRARY_PATH": library, "LS_FAKE_CUDA": "", "LS_JAIL_READ": library}

        def traces(seed, *options):
            command = [CLI, "search", self.program, "--target", "cuda", "--trials", "3", "--budget-ms", "20", "--seed", str(seed), "--json", *options]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False, env=env)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("The rules of the space cuda draw 3 programs for cuda", run.stderr)
            answer = json.loads(run.stdout)
            self.assertEqual((answer["measured"], answer["refused"], [c["equal"] for c in answer["candidates"]]), (3, 0, [True] * 3))
            self.assertIn('sch.bind(loop=', answer["best"]["trace"])
            self.assertIn("sch.enter_postproc()", answer["best"]["trace"])
            return sorted(c["decisions"] for c in answer["candidates"])

        first = traces(1)
        self.assertEqual(len(set(first)), 3)
        self.assertEqual(traces(1, "--space", "cuda"), first)
        given = self.did("--trials", "3", "--export-batch", self.path("rules"))
        self.assertEqual((given["given"], given["unfit"]), (3, 0))
        back = self.back(self.measure("rules"))
        self.assertEqual((back["measured"], back["failed"]), (3, 0))

    def test_targets_that_nothing_measures(self):
        """Once, before anything is drawn, with what to do."""
        for target, said in (("metal", "nothing here runs or times kernels for metal; a search goes by --target cuda, opencl or rocm"), ("apple/m2-gpu", "for metal"),
                             ("vulkan", "for vulkan"), ("webgpu", "for webgpu"), ("nvptx", "goes by --target cuda"), ("foo", "there is no target foo here"), ("c", "there is no target c here"), ("nvidia/none", "There is no target with the tag nvidia/none"),
                             ("cuda -warps=3", "A target with threads has no option -warps")):
            for command in ([CLI, "search", self.program, "--steps", self.steps], [CLI, "search", self.program, "--space", "post-order"], [CLI, "tune", self.program]):
                with self.subTest(target=target, command=command[1:]):
                    run = subprocess.run([*command, "--target", target, "--trials", "4"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
                    self.assertEqual((run.returncode, run.stdout), (2, ""))
                    self.assertIn(said, run.stderr)
                    self.assertNotIn("trial", run.stderr.splitlines()[0])

    def test_opencl(self):
        self.export(2, target="opencl")
        result = self.measure("out", None)
        if not os.path.exists(result):
            self.skipTest("there is no OpenCL here")
        answer = self.back(result, target="opencl")
        self.assertEqual((answer["measured"], answer["failed"]), (2, 0))
        self.assertTrue(answer["kind"].startswith("opencl-"))

    def test_symbolic_sizes(self):
        """A kernel for any number of rows, measured with some; times of other sizes are other times."""
        program = self.rows()
        self.refused("the shape of A is not known: a bundle is of numbers", "--steps", self.steps, "--export-batch", self.path("none"), program=program)
        self.did("--steps", self.steps, "--trials", "2", "--export-batch", self.path("out"), "--set", "n=5", program=program)
        result = self.measure()
        self.refused("the result is of another program", "--import-batch", result, "--set", "n=7", program=program)
        answer = self.back(result, "--set", "n=5", program=program)
        self.assertEqual(answer["measured"], 2)
        self.assertEqual({record[1][2]["tag"] for record in self.records()}, {"kind/cuda-simulated-threads-no-GPU-n=5"})
        self.did("--steps", self.steps, "--trials", "2", "--export-batch", self.path("seven"), "--set", "n=7", program=program)
        answer = self.back(self.measure("seven"), "--set", "n=7", program=program)
        self.assertEqual(len(answer["candidates"]), 2)

    # ---- single candidates fail ------------------------------------------------------------

    def failing(self, fake, said, *options):
        self.export(2)
        answer = self.back(self.measure("out", fake, *options))
        self.assertEqual((answer["measured"], answer["failed"]), (0, 2))
        self.assertIn(said, answer["failed-reason"])
        self.assertEqual([record[1][1][0] for record in self.records()], [1e10, 1e10])
        for candidate in answer["candidates"]:
            self.assertIn(said, candidate["error"])
        again = self.export(7, "next")                  # what failed is not tried again
        self.assertEqual(again["given"], 5)

    def test_killed(self):
        self.failing("cuLaunchKernel=crash", "Its process was ended by signal 11")

    def test_hangs(self):
        self.failing("cuLaunchKernel=hang", "It did not end within 1 seconds and was stopped", "--limit", "1")

    def test_wrong(self):
        self.failing("cuMemcpyDtoH_v2=wrong", "it computes something else: C[4] is ")

    def test_one_of_them(self):
        """One that was run by itself comes back by itself; the other goes on waiting."""
        self.export(2)
        answer = self.back(self.measure("out", "", "--step", self.names()[0]))
        self.assertEqual(answer["measured"], 1)
        self.assertEqual(self.export(1, "next")["waiting"], 1)
        answer = self.back(self.measure("out", "cuLaunchKernel=701", "--step", self.names()[1]))
        self.assertEqual((answer["measured"], answer["failed"]), (0, 1))
        self.assertIn("error 701", [c["error"] for c in answer["candidates"] if "error" in c][0])

    def test_unfit(self):
        """More threads than a block may have: no bundle, but a reason; the others go."""
        self.steps = self.write("wide.py", STEPS.replace("max_innermost_factor=64", "max_innermost_factor=4096").replace("256", "4096"))
        program = self.write("wide_program.py", PROGRAM.replace("256", "4096"))
        given = self.export(20, program=program)
        self.assertGreater(given["given"], 5)
        self.assertEqual(given["unfit"], 2, given)
        self.assertIn("1024", given["unfit-reason"])

    # ---- what is refused --------------------------------------------------------------------

    def test_twice(self):
        self.export(2)
        result = self.measure()
        self.back(result)
        answer = self.back(result)
        self.assertEqual((answer["measured"], answer["again"]), (0, 2))
        self.assertEqual(len(self.records()), 2)

    def test_damaged(self):
        self.export(1)
        result = self.measure()
        with open(result, encoding="utf-8") as file:
            text = file.read()
        for damaged, said in ((text[:len(text) // 2], "it is no JSON, or was cut off"), (text.replace('"median": ', '"median": 1'), "its checksum is"),
                              (text.replace("loopscope-device-result", "something-else"), "it is no result of a device")):
            self.refused(said, "--import-batch", self.write("damaged.json", damaged))
        self.assertFalse(os.path.exists(os.path.join(self.database, "database_tuning_record.json")) and self.records())
        self.assertEqual(self.back(result)["measured"], 1)

    def test_strangers(self):
        self.export(1)
        result = self.measure()
        other = self.write("other.py", PROGRAM.replace("T.float32(2)", "T.float32(3)"))
        self.refused("the result is of another program: its structural hash is", "--import-batch", result, program=other)
        self.refused("the result was made by cuda, and --target opencl is measured by opencl", "--import-batch", result, target="opencl")
        self.refused("has none of the candidates that", "--import-batch", result, database=self.path("another"))
        self.refused("and --kind is cuda-other: times of different devices are not compared", "--import-batch", result, "--kind", "cuda-other")
        self.refused("nowhere.json cannot be read", "--import-batch", self.path("nowhere.json"))

    def test_a_damaged_log(self):
        """A line that cannot be read costs its candidate and no other."""
        self.export(2)
        path = os.path.join(self.database, "database_batches.json")
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.write("db/database_batches.json", lines[0][:40] + "\n" + lines[1])
        run = self.search("--import-batch", self.measure())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("Lines of " + path + " that cannot be read, as when a disk was full, are left out: 1, the first is line 1.", run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual((answer["measured"], answer["unknown"]), (1, 1))

    def test_the_command_line(self):
        for options, said in ((["--export-batch", self.path("x"), "--space", "post-order"], "the rules of --space post-order are those for a processor; for cuda: --space cuda"),
                              (["--space", "sideways"], "--space is post-order, or cuda or cuda-tensorcore"),
                              (["--space", "cuda", "--strategy", "evolutionary"], "the programs of --space cuda are drawn at random"),
                              (["--space", "cuda", "--steps", self.steps], "a file and --steps or --space are expected"),
                              (["--steps", self.steps, "--arch", "sm_80"], "--arch belongs to --export-batch")):
            self.refused(said, *options)
        self.refused("--space cuda is for a target of threads", "--space", "cuda", target="llvm")
        self.refused("a batch needs --target cuda, opencl or rocm", "--steps", self.steps, "--export-batch", self.path("x"), target="llvm")
        run = subprocess.run([CLI, "search", self.program, "--target", "cuda", "--steps", self.steps, "--export-batch", self.path("x")], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("a batch needs --database DIR", run.stderr)
        run = subprocess.run([CLI, "tune", self.program, "--target", "cuda"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("the rules of tune are those for a processor; for cuda: loopscope-cli search FILE --target cuda", run.stderr)
        os.makedirs(self.path("full/x"))
        self.refused("is not empty; a bundle gets one of its own", "--steps", self.steps, "--export-batch", self.path("full"))


tap.main()
