"""tvm.opencl(0) where the ICD loader finds a device (POCL's, which is the CPU): arrays live there, kernels go there as OpenCL C and are timed by its events,
and a CPU is called one.  Where there is no device, or it is to be left alone, kernels are simulated, which is said once with the reason."""
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import tap

DEVICE = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "device", "loopscope-device")
HAS_DEVICE = subprocess.run([DEVICE, "--probe", "opencl", "--quick"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0 \
    if os.path.exists(DEVICE) else False

HEAD = '''
import json, os
import numpy as np
import tvm
from tvm import relax, te
from tvm.runtime import simt
import _loopscope as core
import _loopscope_native as native

answer, runs = {}, []
real_run = core.simt_run
core.simt_run = lambda *args: runs.append(1) or real_run(*args)
dev = tvm.opencl(0)

def twice(n, dtype="float32", threads=16):
    """C[i] = A[i] + 1 kept in memory of the device, B[i] = 2 * C of the other end: two kernels."""
    a = te.placeholder((n,), dtype, name="A")
    c = te.compute((n,), lambda i: a[i] + tvm.tir.const(1, dtype), name="C")
    sch = tvm.tir.Schedule(te.create_prim_func([a, te.compute((n,), lambda i: c[n - 1 - i] * tvm.tir.const(2, dtype), name="B")]))
    for name in "CB":
        outer, inner = sch.split(sch.get_loops(sch.get_block(name))[0], [None, threads])
        sch.bind(outer, "blockIdx.x")
        sch.bind(inner, "threadIdx.x")
    return sch.mod

want = lambda v: (v[::-1] + 1) * 2
x = np.arange(100, dtype="float32")
'''
TAIL = '''
answer["simulated"] = len(runs)
print("ANSWER " + json.dumps(answer))
'''
RUN = '''
        a, b = tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev)
        f = tvm.build(twice(100), target="opencl")
        f(a, b)
        answer["right"] = bool((b.numpy() == want(x)).all())
        answer["real"] = a._memory is not None
'''

SUB_GROUPS = '''from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    T.func_attr({"tir.noalias": True})
    S = T.alloc_buffer((32,), scope="shared")
    for t in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("all"):
            T.reads(A[0:32])
            T.writes(B[0:32])
            S[t] = A[t]
            T.evaluate(T.tvm_storage_sync("warp"))
            B[t] = S[31 - t]
'''


@tap.needs_numpy
class Asked(unittest.TestCase):
    def run_there(self, body, **more):
        """(what the program answers, standard error)"""
        with tempfile.TemporaryDirectory(prefix="opencl-") as folder:
            env = dict(os.environ) | {"POCL_CACHE_DIR": folder} | more
            if "LOOPSCOPE_OPENCL" not in more:
                env.pop("LOOPSCOPE_OPENCL", None)
            run = subprocess.run([sys.executable, "-c", HEAD + textwrap.dedent(body) + TAIL], env=env, capture_output=True, text=True, timeout=100, check=False)
        found = [line for line in run.stdout.splitlines() if line.startswith("ANSWER ")]
        self.assertTrue(found, run.stdout + run.stderr)
        return json.loads(found[0][len("ANSWER "):]), run.stderr


@unittest.skipUnless(HAS_DEVICE, "OpenCL has no device here; Debian's pocl-opencl-icd makes the processor one")
class There(Asked):
    def test_kernels_run_there(self):
        answer, said = self.run_there(RUN + '''
        answer["facts"] = [dev.exist, bool(dev.device_name), dev.max_threads_per_block > 0, dev.total_global_memory > 0, dev.compute_version]
        answer["kernels"] = f.entry_func._on_device.kernels(a, b)
        f(a, b)
        answer["name"], answer["kind"] = dev.device_name, dev._there()["kind"]
        ''')
        self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, True, 0))
        self.assertEqual(answer["facts"], [True, True, True, True, None])
        self.assertIn("__kernel void", answer["kernels"])
        self.assertEqual(said.count(f"loopscope: tvm.opencl(0) is {answer['name']} (OpenCL "), 1)
        self.assertEqual("a CPU and no GPU" in said, answer["kind"] == "CPU")
        self.assertNotIn("simulated", said)

    def test_arrays_live_there_and_move(self):
        answer, _ = self.run_there('''
        copies, real_copy = [], native.device_copy
        native.device_copy = lambda *args: copies.append(bool(args[3])) or real_copy(*args)
        f = tvm.build(twice(100), target="opencl")
        a, b, c = tvm.nd.array(x, dev), tvm.nd.empty((100,), device=dev), tvm.nd.empty((100,), device=dev)
        f(a, b)
        f(b, c)
        f(c, b)
        answer["before"] = list(copies)
        answer["chain"] = bool((b.numpy() == want(want(want(x)))).all())
        answer["after"] = list(copies)
        b.copyfrom(x * 3)
        f(b, c)
        answer["written"] = bool((c.numpy() == want(x * 3)).all())
        host = c.copyto(tvm.cpu(0))
        there = host.copyto(dev)
        f(there, c)
        answer["moved"] = [str(host.device), host._memory is None, str(there.device), bool((c.numpy() == want(want(x * 3))).all())]
        here = tvm.nd.array(x)
        c.copyto(here)
        answer["into"] = bool((here.numpy() == c.numpy()).all())
        try:
            f(tvm.nd.array(x), c)
        except tvm.TVMError as error:
            answer["elsewhere"] = str(error)
        ''')
        self.assertEqual(answer["before"], [True, True, True])
        self.assertEqual(answer["after"], [True, True, True, False])
        self.assertTrue(answer["chain"] and answer["written"] and answer["into"])
        self.assertEqual(answer["moved"], ["cpu(0)", True, "opencl(0)", True])
        self.assertIn("argument 0 of main is on cpu(0)", answer["elsewhere"])
        self.assertEqual(answer["simulated"], 0)

    def test_times_say_where(self):
        answer, said = self.run_there(RUN + '''
        result = f.time_evaluator("main", dev, number=7, repeat=3)(a, b)
        answer["times"], answer["where"], answer["text"], answer["kind"] = list(result.results), result.where, str(result), dev._there()["kind"]
        ''')
        self.assertEqual((len(answer["times"]), answer["simulated"]), (3, 0))
        self.assertTrue(all(0 < t < 60 for t in answer["times"]))
        self.assertTrue(answer["text"].endswith("\non " + answer["where"]))
        self.assertEqual("a CPU and no GPU" in answer["where"], answer["kind"] == "CPU")
        self.assertNotIn("not a GPU's time", said)

    def test_functions_keep_their_kernels(self):
        """One after the other, and given back one by one."""
        answer, _ = self.run_there('''
        made = [tvm.build(twice(n), target="opencl") for n in (100, 48, 7)]
        answer["right"] = []
        for _ in range(2):
            for n, f in zip((100, 48, 7), made):
                a, b = tvm.nd.array(x[:n], dev), tvm.nd.empty((n,), device=dev)
                f(a, b)
                answer["right"].append(bool((b.numpy() == want(x[:n])).all()))
            del made[0], f
            made.insert(0, tvm.build(twice(100), target="opencl"))
        import threading
        a, b = tvm.nd.array(x[:7], dev), [tvm.nd.empty((7,), device=dev) for _ in range(8)]
        threads = [threading.Thread(target=made[2], args=(a, one)) for one in b]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        answer["threads"] = all((one.numpy() == want(x[:7])).all() for one in b)
        answer["threads"] = bool(answer["threads"])
        ''')
        self.assertEqual((answer["right"], answer["threads"], answer["simulated"]), ([True] * 6, True, 0))

    def test_a_graph(self):
        answer, _ = self.run_there('''
        p, q = relax.Var("x", relax.TensorStructInfo((4, 8), "float32")), relax.Var("w", relax.TensorStructInfo((8, 6), "float32"))
        made = relax.BlockBuilder()
        with made.function("main", [p, q]):
            made.emit_func_output(made.emit(relax.op.nn.relu(made.emit(relax.op.matmul(p, q)))))
        u, v = np.arange(32, dtype="float32").reshape(4, 8) - 16, np.arange(48, dtype="float32").reshape(8, 6) - 20
        out = relax.VirtualMachine(relax.build(made.get(), target="opencl"), dev)["main"](tvm.nd.array(u, dev), tvm.nd.array(v, dev))
        answer["right"] = [bool((out.numpy() == np.maximum(u @ v, 0)).all()), str(out.device)]
        ''')
        self.assertEqual((answer["right"], answer["simulated"]), ([True, "opencl(0)"], 0))

    def test_what_the_device_does_not_compute_in(self):
        answer, _ = self.run_there('''
        y = np.arange(16, dtype="float16")
        a, b = tvm.nd.array(y, dev), tvm.nd.empty((16,), "float16", dev)
        try:
            tvm.build(twice(16, "float16"), target="opencl")(a, b)
            answer["right"] = bool((b.numpy() == want(y)).all())
        except tvm.TVMError as error:
            answer["error"] = str(error)
        ''')
        if "error" in answer:
            self.assertEqual(answer["error"], "main computes in float16, which this device does not (its OpenCL has no cl_khr_fp16).  "
                                              "(LOOPSCOPE_OPENCL=off runs it on simulated threads.)")
        else:
            self.assertTrue(answer["right"])

    def test_sub_groups(self):
        """A device without them says so before its compiler does."""
        answer, _ = self.run_there('''
        main = tvm.script.from_source(os.environ["PROGRAM"]).with_attr("global_symbol", "main")
        a, b = tvm.nd.array(x[:32], dev), tvm.nd.empty((32,), device=dev)
        try:
            tvm.build(main, target="opencl")(a, b)
            answer["right"] = bool((b.numpy() == x[:32][::-1]).all())
        except tvm.TVMError as error:
            answer["error"] = str(error)
        ''', PROGRAM=SUB_GROUPS)
        if "error" in answer:
            self.assertEqual(answer["error"], "main waits in sub-groups, which this device does not (its OpenCL has no cl_khr_subgroups).  "
                                              "(LOOPSCOPE_OPENCL=off runs it on simulated threads.)")
        else:
            self.assertTrue(answer["right"])

    def test_what_is_asked_to_be_simulated(self):
        answer, said = self.run_there('''
        there = tvm.device("simt", 0)
        a, b = tvm.nd.array(x, there), tvm.nd.empty((100,), device=there)
        tvm.build(twice(100), target="opencl")(a, b)
        second = tvm.opencl(1)
        c, d = tvm.nd.array(x, second), tvm.nd.empty((100,), device=second)
        tvm.build(twice(100), target="opencl")(c, d)
        answer["right"] = bool((b.numpy() == want(x)).all() and (d.numpy() == want(x)).all())
        ''')
        self.assertEqual((answer["right"], answer["simulated"]), (True, 2))
        self.assertIn("loopscope: tvm.opencl(1) is simulated here: results", said)


class Elsewhere(Asked):
    def test_left_alone(self):
        answer, said = self.run_there(RUN, LOOPSCOPE_OPENCL="off")
        self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, False, 1))
        self.assertEqual(said.count("loopscope: tvm.opencl(0) is simulated here (LOOPSCOPE_OPENCL is off): results are exact and checked"), 1)

    def test_a_loader_without_devices(self):
        with tempfile.TemporaryDirectory(prefix="no-opencl-") as folder:
            answer, said = self.run_there(RUN + '        answer["reason"] = __import__("tvm").runtime.drivers.of_type(4).reason', OCL_ICD_VENDORS=folder, OPENCL_VENDOR_PATH=folder)
        self.assertEqual((answer["right"], answer["real"], answer["simulated"]), (True, False, 1))
        line, = [line for line in said.splitlines() if "tvm.opencl(0) is simulated here" in line]
        if "cannot be opened" not in answer["reason"]:
            self.assertIn("gives error -1001, CL_PLATFORM_NOT_FOUND_KHR. No implementation of OpenCL is installed, only its loader.", line)


if __name__ == "__main__":
    tap.main()
