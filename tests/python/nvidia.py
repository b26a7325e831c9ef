"""tvm.cuda(0) where libcuda.so.1 can be opened: with the driver of tests/device, which has simulated threads behind NVIDIA's interface, arrays live there,
kernels go there as PTX and are timed by events, and each call that fails is told.  Where there is no GPU, cuda is simulated and says so once, with the reason.
tvm.rocm(0) is the same by HIP."""
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import tap

BUILD = os.environ["LS_BUILD_ROOT"]
LIBRARY = os.path.join(BUILD, "tests", "device")

PROGRAM = '''from tvm.script import tir as T

@T.prim_func
def {name}(A: T.Buffer(({n},), "float32"), B: T.Buffer(({n},), "float32")):
    T.func_attr({{"tir.noalias": True}})
    C = T.alloc_buffer(({n},))
    for b in T.thread_binding(({n} + 31) // 32, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("C"):
                T.where(b * 32 + t < {n})
                i = T.axis.spatial({n}, b * 32 + t)
                C[i] = A[i] + T.float32(1)
    for b in T.thread_binding(({n} + 31) // 32, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("B"):
                T.where(b * 32 + t < {n})
                i = T.axis.spatial({n}, b * 32 + t)
                B[i] = C[{n} - 1 - i] * T.float32(2)
'''

HEAD = '''
import json, os, sys
import numpy as np
import tvm
from tvm.runtime import simt

FOLDER = os.environ["LS_FAKE_CUDA_PROGRAMS"]
answer = {}
runs = []
import _loopscope as core
real_run = core.simt_run
core.simt_run = lambda *args: runs.append(1) or real_run(*args)
dev = tvm.cuda(0)

def program(name="main"):
    with open(os.path.join(FOLDER, name + ".py"), encoding="utf-8") as file:
        return tvm.script.from_source(file.read()).with_attr("global_symbol", name)

x = np.arange(100, dtype="float32")
'''
TAIL = '''
answer["simulated"] = len(runs)
print("ANSWER " + json.dumps(answer))
'''


@unittest.skipUnless(os.path.exists(os.path.join(LIBRARY, "libcuda.so.1")), "the driver of tests/device is not built")
@tap.needs_numpy
class Driver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nvidia-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("main", 100)

    def write(self, name, n):
        with open(os.path.join(self.folder, name + ".py"), "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(name=name, n=n))

    def run_there(self, body, fake="", library=LIBRARY, **more):
        """(what the program answers, standard error); the driver fails as `fake` says."""
        env = dict(os.environ) | {"LS_FAKE_CUDA_PROGRAMS": self.folder, "LS_FAKE_CUDA": fake} | more
        for name in {"LD_LIBRARY_PATH", "LOOPSCOPE_CUDA", "LOOPSCOPE_ROCM"} - set(more):
            env.pop(name, None)
        if library:
            env["LD_LIBRARY_PATH"] = library
        run = subprocess.run([sys.executable, "-c", HEAD + textwrap.dedent(body) + TAIL], env=env, capture_output=True, text=True, timeout=100, check=False)
        found = [line for line in run.stdout.splitlines() if line.startswith("ANSWER ")]
        self.assertTrue(found, run.stdout + run.stderr)
        return json.loads(found[0][len("ANSWER "):]), run.stderr

    RUN = '''
        a, b = tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev)
        f = tvm.build(program(), target="cuda")
        f(a, b)
        answer["right"] = bool((b.numpy() == (x[::-1] + 1) * 2).all())
        answer["real"] = a._memory is not None
    '''

    def test_kernels_run_there(self):
        answer, said = self.run_there(self.RUN + '''
        answer["facts"] = [dev.exist, dev.device_name, dev.compute_version, dev.max_threads_per_block, dev.total_global_memory, dev.multi_processor_count]
        answer["ptx"] = f.entry_func._on_device.kernels(a, b)
        ''')
        self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, True, 0))
        self.assertEqual(answer["facts"], [True, "simulated threads, no GPU", "8.0", 1024, 64 << 20, 1])
        self.assertIn(".entry main_kernel(", answer["ptx"])
        self.assertIn(".entry main_kernel_1(", answer["ptx"])
        self.assertEqual(said.count("tvm.cuda(0) is simulated threads, no GPU (CUDA 12.4)"), 1)
        self.assertNotIn("is simulated here", said)

    def test_arrays_live_there_and_move(self):
        answer, _ = self.run_there('''
        import _loopscope_native as native
        copies, real_copy = [], native.device_copy
        native.device_copy = lambda *args: copies.append(bool(args[3])) or real_copy(*args)
        f = tvm.build(program(), target="cuda")
        a, b, c = tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev), tvm.nd.empty((100,), device=dev)
        f(a, b)
        f(b, c)
        f(c, b)
        answer["before"] = list(copies)
        want = lambda v: (v[::-1] + 1) * 2
        answer["chain"] = bool((b.numpy() == want(want(want(x)))).all() and (b.numpy() == b.numpy()).all())
        answer["after"] = list(copies)
        b.copyfrom(x * 3)
        f(b, c)
        answer["written"] = bool((c.numpy() == want(x * 3)).all())
        host = c.copyto(tvm.cpu(0))
        answer["host"] = [str(host.device), host._memory is None, bool((host.numpy() == want(x * 3)).all())]
        there = host.copyto(dev)
        f(there, c)
        answer["there"] = [str(there.device), bool((c.numpy() == want(want(x * 3))).all())]
        answer["read otherwise"] = [bool((np.array(c) == c.numpy()).all()), bool((np.from_dlpack(c) == c.numpy()).all()), f"{c.numpy()[0]:g}" in c._text()]
        here = tvm.nd.array(x)
        c.copyto(here)
        answer["into"] = bool((here.numpy() == c.numpy()).all())
        try:
            c._create_view((10, 10))
        except tvm.TVMError as error:
            answer["view"] = str(error)
        del a, b, c, there
        big = [tvm.nd.empty((1 << 20,), device=dev) for _ in range(15)]
        answer["freed"] = len(big)
        ''')
        # x goes there with the first call, b and c (empty) too; nothing comes back until somebody asks
        self.assertEqual(answer["before"], [True, True, True])
        self.assertEqual(answer["after"], [True, True, True, False])
        self.assertTrue(answer["chain"] and answer["written"] and answer["into"])
        self.assertEqual(answer["host"], ["cpu(0)", True, True])
        self.assertEqual(answer["there"], ["cuda(0)", True])
        self.assertEqual(answer["read otherwise"], [True, True, True])
        self.assertIn("a view of an array on cuda(0), which is a device of its own, is not made yet", answer["view"])
        self.assertEqual((answer["freed"], answer["simulated"]), (15, 0))

    def test_times_are_the_events(self):
        answer, said = self.run_there(self.RUN + '''
        import _loopscope_native as native
        rounds, real_run_there = [], native.device_run
        native.device_run = lambda *args: rounds.append(args[2]) or real_run_there(*args)
        answer["times"] = list(f.time_evaluator("main", dev, number=7, repeat=3)(a, b).results)
        answer["rounds"] = rounds
        ''')
        self.assertEqual((len(answer["times"]), answer["rounds"], answer["simulated"]), (3, [1, 7, 7, 7], 0))
        self.assertTrue(all(0 < t < 60 for t in answer["times"]))
        self.assertNotIn("not a GPU's time", said)

    def test_the_extents_of_each_call(self):
        with open(os.path.join(self.folder, "open.py"), "w", encoding="utf-8") as file:
            text = PROGRAM.format(name="open", n="n").replace('A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")', "a: T.handle, b: T.handle")
            file.write(text.replace("    C = T.alloc", '    n = T.int32()\n    A = T.match_buffer(a, (n,), "float32")\n    B = T.match_buffer(b, (n,), "float32")\n    C = T.alloc'))
        answer, _ = self.run_there('''
        f = tvm.build(program("open"), target="cuda")
        answer["right"] = []
        for n in (5, 64, 5):
            with open(os.path.join(FOLDER, "open.py"), "w", encoding="utf-8") as file:
                file.write(os.environ["SIZED"].replace("{n}", str(n)))
            a, b = tvm.nd.array(x[:n], dev), tvm.nd.empty((n,), device=dev)
            f(a, b)
            answer["right"].append(bool((b.numpy() == (x[:n][::-1] + 1) * 2).all()))
        answer["made"] = len(f.entry_func._on_device._loaded)
        ''', SIZED=PROGRAM.format(name="open", n="{n}"))
        self.assertEqual((answer["right"], answer["made"], answer["simulated"]), ([True] * 3, 2, 0))

    FAILING = '''
        answer["error"] = None
        try:
            a, b = tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev)
            f = tvm.build(program(), target="cuda")
            f(a, b)
            f.time_evaluator("main", dev, number=1, repeat=1)(a, b)
            b.numpy()
        except tvm.TVMError as error:
            answer["error"] = str(error)
        answer["lives"] = tvm.nd.array(x).numpy().sum()
        answer["lives"] = float(answer["lives"])
    '''

    def test_each_call_that_fails(self):
        for call, code, words in (("cuMemAlloc_v2", 2, "Allocating 400 bytes on the GPU failed: cuMemAlloc gives error 2, CUDA_ERROR_OUT_OF_MEMORY (out of memory)"),
                                  ("cuMemcpyHtoD_v2", 1, "Copying an input to the GPU failed: cuMemcpyHtoD gives error 1"),
                                  ("cuModuleLoadDataEx", 218, "Compiling the kernels for the GPU failed: cuModuleLoadDataEx gives error 218"),
                                  ("cuModuleGetFunction", 500, "Finding the kernel failed: cuModuleGetFunction gives error 500, CUDA_ERROR_NOT_FOUND (named symbol not found)"),
                                  ("cuLaunchKernel", 701, "Starting main_kernel with 4 x 1 x 1 blocks of 32 x 1 x 1 threads failed: cuLaunchKernel gives error 701"),
                                  ("cuEventRecord", 1, "Noting the start failed: cuEventRecord gives error 1"),
                                  ("cuEventSynchronize", 700, "Waiting for the GPU failed: cuEventSynchronize gives error 700, CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access"),
                                  ("cuEventElapsedTime", 1, "Reading the time failed: cuEventElapsedTime gives error 1"),
                                  ("cuMemcpyDtoH_v2", 719, "Copying a result from the GPU failed: cuMemcpyDtoH gives error 719"),
                                  ("cuCtxSetCurrent", 201, "Working on the GPU failed: cuCtxSetCurrent gives error 201")):
            with self.subTest(call=call):
                answer, _ = self.run_there(self.FAILING, f"{call}={code}")
                self.assertIn(words, answer["error"] or "no error")
                self.assertEqual((answer["lives"], answer["simulated"]), (4950.0, 0))

    def test_a_kernel_that_reads_outside(self):
        answer, _ = self.run_there('''
        f = tvm.build(program(), target="cuda")
        try:
            f(tvm.nd.array(x[:50], dev), tvm.nd.empty((100,), device=dev))
            f(tvm.nd.array(x[:50], dev), tvm.nd.empty((100,), device=dev))
        except tvm.TVMError as error:
            answer["error"] = str(error)
        ''')
        self.assertIn("gives error 700", answer["error"])

    def test_no_gpu_behind_the_driver_is_simulated(self):
        for fake, words in (("cuInit=100", "Starting the driver failed: cuInit gives error 100, CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)"),
                            ("cuDeviceGetCount=3", "Counting GPUs failed"), ("cuCtxCreate_v2=2", "Taking the GPU into use failed: cuCtxCreate gives error 2"),
                            ("cuDeviceGet=101", "Choosing the GPU failed"), ("cuEventCreate=2", "Making an event failed")):
            with self.subTest(fake=fake):
                answer, said = self.run_there(self.RUN, fake)
                self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, False, 1))
                line, = [line for line in said.splitlines() if "is simulated here" in line]
                self.assertIn(words, line)

    def test_without_a_driver(self):
        answer, said = self.run_there(self.RUN, library=None)
        if answer["real"]:
            self.skipTest("this machine has a GPU")
        self.assertEqual((answer["right"], answer["simulated"]), (True, 1))
        self.assertEqual(said.count("loopscope: tvm.cuda(0) is simulated here: results are exact"), 1)

    def test_the_gpu_can_be_left_alone(self):
        answer, said = self.run_there(self.RUN, LOOPSCOPE_CUDA="off")
        self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, False, 1))
        self.assertIn("simulated here (LOOPSCOPE_CUDA is off)", said)

    def test_a_later_architecture_is_refused(self):
        answer, _ = self.run_there('''
        try:
            tvm.build(program(), target="cuda -arch=sm_90")(tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev))
        except tvm.TVMError as error:
            answer["error"] = str(error)
        ''')
        self.assertEqual(answer["error"], 'main is built for sm_90; simulated threads, no GPU is an sm_80: build it with the target "cuda -arch=sm_80"')

    def test_hip(self):
        answer, said = self.run_there('''
        there = tvm.rocm(0)
        a, b = tvm.nd.array(x, there), tvm.nd.empty((100,), device=there)
        f = tvm.build(program(), target="rocm")
        f(a, b)
        answer["right"] = bool((b.numpy() == (x[::-1] + 1) * 2).all())
        answer["times"] = list(f.time_evaluator("main", there, number=2, repeat=2)(a, b).results)
        answer["facts"] = [there.exist, there.device_name, there.compute_version]
        answer["kernels"] = f.entry_func._on_device.kernels(a, b)
        ''')
        self.assertEqual((answer["right"], answer["simulated"], answer["facts"]), (True, 0, [True, "simulated threads, no GPU", None]))
        self.assertTrue(len(answer["times"]) == 2 and all(0 < t < 60 for t in answer["times"]))
        self.assertIn('extern "C" __global__ void', answer["kernels"])
        self.assertEqual(said.count("tvm.rocm(0) is simulated threads, no GPU (HIP 6.2)"), 1)
        self.assertIn("HIPRTC does not take main: there is an error in line 3  (LOOPSCOPE_ROCM=off runs it on simulated threads.)",
                      self.run_there(self.FAILING.replace("cuda", "rocm").replace("answer[\"error\"] = None", "dev = tvm.rocm(0)"), "hiprtcCompileProgram=6")[0]["error"])

    def test_other_devices_stay_simulated(self):
        answer, _ = self.run_there('''
        a, b = tvm.nd.array(x, tvm.device("simt", 0)), tvm.nd.empty((100,), device=tvm.device("simt", 0))
        tvm.build(program(), target="cuda")(a, b)
        answer["right"] = bool((b.numpy() == (x[::-1] + 1) * 2).all())
        ''')
        self.assertEqual((answer["right"], answer["simulated"]), (True, 1))


if __name__ == "__main__":
    tap.main()
