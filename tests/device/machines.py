"""Machines that measure on a device: OpenCL on the processor (POCL) where it is installed, CUDA through the driver of tests/device with the simulator
behind it.  A search for a device uses only these; a kernel that is wrong, crashes or hangs is a failed program and no end of the machine."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "python"))
sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "unit", "fleet"))
import tap  # noqa: E402
from queues import BUILD, CLI, MEASURE, House  # noqa: E402

FAKE = os.path.join(BUILD, "tests/device")
DEVICE = os.path.join(BUILD, "app/device/loopscope-device")
# Threads by drawn tiles.
STEPS = '''b = sch.get_block("C")
i, j, k = sch.get_loops(b)
t0, t1 = sch.sample_perfect_tile(i, n=2, max_innermost_factor=8)
i0, i1 = sch.split(i, factors=[t0, t1])
u0, u1 = sch.sample_perfect_tile(j, n=2, max_innermost_factor=8)
j0, j1 = sch.split(j, factors=[u0, u1])
sch.reorder(i0, j0, i1, j1, k)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
'''
OPENCL = subprocess.run([DEVICE, "--probe", "opencl", "--quick"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def fake(plan=""):
    """The environment in which libcuda.so.1 is that of tests/device, with what goes wrong in it."""
    return dict(os.environ) | {"LD_LIBRARY_PATH": FAKE, "LS_FAKE_CUDA": plan, "LS_JAIL_READ": FAKE}


@unittest.skipUnless(shutil.which("redis-server"), "redis-server is not installed")
class Devices(House):
    def setUp(self):
        super().setUp()
        self.steps = self.write("steps.py", STEPS)

    def device_search(self, target, trials, *options, database="db", timeout=300, env=None):
        command = [CLI, "search", self.program, "--steps", self.steps, "--target", target, "--trials", str(trials), "--budget-ms", "20", "--queue", self.url,
                   "--database", os.path.join(self.folder, database), "--json", *options]
        process = self.start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err

    def cuda_machine(self, name, plan="", *options):
        log = open(os.path.join(self.folder, name + ".log"), "w", encoding="utf-8")
        with log:
            process = subprocess.Popen([MEASURE, "--queue", self.url, "--name", name, "--lease", "2", "--device", "cuda", *options], env=fake(plan), stderr=log)
        self.running.append(process)
        return process

    def finished(self, result):
        status, out, err = result
        self.assertEqual(status, 0, err)
        return json.loads(out), err

    # ---- as it is meant -------------------------------------------------------------

    @unittest.skipUnless(OPENCL, "there is no OpenCL here")
    def test_opencl(self):
        self.redis()
        machine = self.machine("one", "--device", "opencl")
        answer, _ = self.finished(self.device_search("opencl", 4))
        self.assertEqual(answer["measured"], 4, answer)
        self.assertTrue(answer["kind"].startswith("opencl-"), answer["kind"])
        self.assertEqual({c["machine"] for c in answer["candidates"]}, {"one"})
        self.assertGreater(answer["best"]["median"], 0)
        for line in self.records():
            self.assertEqual(json.loads(line)[1][2]["tag"], "kind/" + answer["kind"])
        machine.terminate()
        self.assertEqual(machine.wait(120), 0)

    def test_cuda(self):
        self.redis()
        self.cuda_machine("gpu")
        answer, _ = self.finished(self.device_search("cuda", 3))
        self.assertEqual(answer["measured"], 3, answer)
        self.assertEqual(answer["kind"], "cuda-simulated-threads-no-GPU")
        self.assertIn("simulated threads, no GPU (cuda", answer["conditions"])
        self.assertIn("core clock 1980 MHz before, 1755 MHz after", answer["conditions"])
        again, _ = self.finished(self.device_search("cuda", 3))
        self.assertEqual((again["measured"], again["remembered"]), (0, 3))
        listed = json.loads(subprocess.run([CLI, "fleet", "--queue", self.url, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
        self.assertEqual([(m["name"], m["device"], m["driver"]) for m in listed["machines"]], [("gpu", "simulated threads, no GPU", "cuda")])

    def test_programs_of_others(self):
        """What meta_schedule's RPCRunner sends: kernels that are bound to threads already."""
        self.redis()
        self.cuda_machine("gpu")
        bound = ('from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):\n'
                 '    T.func_attr({"tir.noalias": True})\n    for b in T.thread_binding(4, thread="blockIdx.x"):\n        for t in T.thread_binding(16, thread="threadIdx.x"):\n'
                 '            with T.block("C"):\n                v = T.axis.spatial(64, b * 16 + t)\n                C[v] = A[v] + T.float32(1)\n')
        wishes = {"jobs": [{"module": bound, "target": "cuda"}, {"module": bound.replace("v = T.axis", "w = T.axis"), "target": "cuda"}], "budget-ms": 20, "wait-s": 30}
        run = subprocess.run([CLI, "fleet", "--queue", self.url, "--measure"], input=json.dumps(wishes), stdout=subprocess.PIPE, text=True, timeout=300, check=False)
        good, bad = json.loads(run.stdout)["results"]
        self.assertGreater(good["median"], 0)
        self.assertEqual(good["machine"], "gpu")
        self.assertIn("v", bad["error"])

    # ---- a machine takes jobs of its kind only --------------------------------------------

    def test_machines_are_kept_apart(self):
        self.redis()
        self.machine("cpu")
        self.cuda_machine("gpu")
        for target, name in (("cuda", "gpu"), (None, "cpu")):
            if target is not None:
                answer, _ = self.finished(self.device_search(target, 2))
            else:
                answer, _ = self.finish(self.search(2, database="other"))
            self.assertEqual({c["machine"] for c in answer["candidates"]}, {name})

    def test_other_kinds_are_said(self):
        _, _ = self.redis()
        self.machine("cpu", "--kind", "mine")
        self.wait(lambda: "takes jobs of mine" in self.log("cpu"), "the machine is there")
        for options, said in (((), "No machine with --device cuda takes jobs from unix://"),
                              (("--kind", "mine"), "Machines of the kind mine measure on their processor; this search is for cuda.")):
            search = self.start(CLI, "search", self.program, "--steps", self.steps, "--target", "cuda", "--queue", self.url, *options,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            told = search.stderr.readline()
            search.send_signal(signal.SIGINT)
            _, rest = search.communicate(timeout=120)
            self.assertIn(said, told + rest)

    # ---- what goes wrong ------------------------------------------------------------------

    def failing(self, plan, said, *options):
        """All programs fail with this; the machine lives on, and one that is well measures them when it is asked again."""
        machine = self.cuda_machine("bad", plan)
        status, out, err = self.device_search("cuda", 2, *options)
        answer = json.loads(out)
        self.assertEqual(status, 1, err)
        self.assertEqual(len(answer["candidates"]), 2, answer)
        for candidate in answer["candidates"]:
            self.assertIn(said, candidate["error"])
        self.assertEqual(len(self.records()), 2)
        self.assertIsNone(machine.poll())
        machine.terminate()
        self.assertEqual(machine.wait(120), 0)

    def test_a_kernel_crashes(self):
        self.redis()
        self.failing("cuLaunchKernel=crash", "Its process was ended by signal 11")

    def test_a_kernel_hangs(self):
        self.redis()
        self.failing("cuLaunchKernel=hang", "It did not end within 6 seconds and was stopped: the kernel hangs", "--timeout", "6")

    def test_a_kernel_is_refused(self):
        self.redis()
        self.failing("cuLaunchKernel=701", "cuLaunchKernel gives error 701")

    def test_a_result_is_wrong(self):
        self.redis()
        self.failing("cuMemcpyDtoH_v2=wrong", "it computes something else: C[0, 4] is ")

    def test_memory_of_the_machine(self):
        """Half a gigabyte of input does not fit into 256 MiB, whoever wants it; small programs do."""
        self.redis()
        large = ('from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((134217728,), "float32"), C: T.Buffer((64,), "float32")):\n'
                 '    for b in T.thread_binding(4, thread="blockIdx.x"):\n        for t in T.thread_binding(16, thread="threadIdx.x"):\n'
                 '            C[b * 16 + t] = A[(b * 16 + t) * 2097152] + T.float32(1)\n')
        small = large.replace("134217728", "64").replace(" * 2097152", "")
        machine = self.cuda_machine("gpu", "", "--memory", "256")
        wishes = {"jobs": [{"module": text, "target": "cuda"} for text in (large, small)], "budget-ms": 20, "wait-s": 60}
        run = subprocess.run([CLI, "fleet", "--queue", self.url, "--measure"], input=json.dumps(wishes), stdout=subprocess.PIPE, text=True, timeout=300, check=False)
        first, second = json.loads(run.stdout)["results"]
        self.assertIn("its arrays take 512 MiB of memory, and 256 MiB are allowed here (--memory)", first["error"])
        self.assertGreater(second["median"], 0)
        self.assertIsNone(machine.poll())

    def test_leaving_at_once(self):
        """Asked twice, it ends what hangs and gives the job back."""
        _, redis = self.redis()
        machine = self.cuda_machine("bad", "cuLaunchKernel=hang")
        search = self.start(CLI, "search", self.program, "--steps", self.steps, "--target", "cuda", "--trials", "1", "--queue", self.url, "--json",
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait(lambda: '"measuring"' in (redis("GET", "loopscope:machine:bad") or ""), "the job is being measured")
        for _ in range(100):                            # two that are quick are one
            if machine.poll() is not None:
                break
            machine.terminate()
            time.sleep(0.3)
        self.assertEqual(machine.wait(120), 0)
        self.cuda_machine("good")
        out, err = search.communicate(timeout=300)
        self.assertEqual(search.returncode, 0, err)
        self.assertEqual(json.loads(out)["candidates"][0]["machine"], "good")

    def test_the_jail_holds_with_devices(self):
        """What must not work in a jail does not work in one with GPUs either."""
        jail = os.path.join(BUILD, "app/jail/loopscope-jail")
        tried = [subprocess.run([jail, *options, "--attest"], stdout=subprocess.PIPE, text=True, check=True).stdout for options in ([], ["--devices"])]
        self.assertIn("=", tried[0])
        self.assertEqual(*tried)

    def test_no_device(self):
        self.redis()
        run = subprocess.run([MEASURE, "--queue", self.url, "--device", "cuda"], env=fake("cuInit=100"), stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("CUDA_ERROR_NO_DEVICE", run.stderr)
        for options, said in ((["--device", "metal"], "--device is cuda, opencl or hip, not \"metal\""), (["--number", "1"], "belongs to --device"),
                              (["--device", "cuda", "--number", "3"], "There is no GPU number 3: this machine has 1.")):
            run = subprocess.run([MEASURE, "--queue", self.url, *options], env=fake(), stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertGreater(run.returncode, 0)
            self.assertIn(said, run.stderr)


tap.main()
