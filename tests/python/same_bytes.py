"""The same input gives the same bytes in every run: texts, LLVM's code, machine code, models and pictures (pages hold measured times).

Each producer runs several times with another layout of memory (three of the kernel's choice, one always the same by setarch -R), 1, 2, 7 and 8
threads, and other contents of fresh memory; in a build with reverse_tables, with hash tables gone through backwards and forwards."""
import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest

import tap

ROOT = os.environ["LS_SOURCE_ROOT"]
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")
SAMPLE = "data/samples/mm_relu.py"
STEPS = "data/samples/mm_relu_steps.py"
RUNS = [{"MALLOC_PERTURB_": "17", "TVM_NUM_THREADS": "1"}, {"MALLOC_PERTURB_": "201", "TVM_NUM_THREADS": "2"},
        {"MALLOC_ARENA_MAX": "1", "TVM_NUM_THREADS": "7", "LS_TABLE_ORDER": "forward"}, {"G_SLICE": "always-malloc", "LC_ALL": "C", "TVM_NUM_THREADS": "8"}]

PARALLEL = """# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32"), n: T.int32):
        D = T.alloc_buffer((64, 64))
        D_1 = T.alloc_buffer((64, 64))
        for i in T.parallel(64):
            for j in range(64):
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D[vi, vj] = A[vi, vj] * T.Cast("float32", n) + B[vi, vj]
        for i in T.parallel(64):
            for j in range(64):
                with T.block("E"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D_1[vi, vj] = D[vi, vj] + B[vj, vi] * A[vi, vi]
        for i in T.parallel(64):
            for j in range(64):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = D_1[vi, vj] - D[vj, vi]
"""

RELAX = """# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 8), dtype="float32") = R.matmul(x, w)
            lv1: R.Tensor((4, 8), dtype="float32") = R.nn.relu(lv)
            lv2: R.Tensor((4, 8), dtype="float32") = R.add(lv1, x)
            gv: R.Tensor((4, 8), dtype="float32") = R.nn.softmax(lv2, axis=1)
            R.output(gv)
        return gv
"""


def plain_layout():
    """The words that start a program with the addresses that it always has; [] and a line where this machine has none."""
    words = ["setarch", "-R"]
    if shutil.which("setarch") is not None and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
        return words
    print("# no setarch -R here: layouts of the kernel's choice only")
    return []


def produce(line, env, folder, layout=()):
    """What a command prints and the file it writes (OUT), as bytes."""
    out = os.path.join(folder, "out" + line[0])
    words = [out if word == "OUT" else os.path.join(folder, word) if word in ("parallel.py", "relax.py") else word for word in line[1].split()]
    if "-o" in line[1]:
        words = [os.path.join(folder, "out" + line[0]) if word == "OUT" else word for word in words]
    done = subprocess.run([*layout, CLI, *words], cwd=ROOT, env=dict(os.environ, **env), capture_output=True, timeout=100)
    if done.returncode != 0:
        raise AssertionError(f"{line[1]}: {done.stderr.decode()}")
    made = b""
    if os.path.exists(out):
        with open(out, "rb") as file:
            made = file.read()
        os.unlink(out)
    return made if "-o" in line[1] else done.stdout


PRODUCERS = [
    ("", f"print {SAMPLE}"), ("", f"apply {SAMPLE} --steps {STEPS}"), ("", f"lower {SAMPLE} --steps {STEPS} --all"), ("", "lower parallel.py"),
    ("", f"llvm {SAMPLE} --steps {STEPS}"), ("", "llvm parallel.py --raw"), ("", "llvm parallel.py"), ("", "asm parallel.py"),
    (".lsx", "build relax.py -o OUT"), ("", "pass relax.py --pass LegalizeOps --pass FuseOps()"), (".svg", f"graph {SAMPLE} -o OUT"),
    (".dot", "graph relax.py -o OUT"), (".html", f"report {SAMPLE} --steps {STEPS} --no-time -o OUT"), (".png", f"graph {SAMPLE} -o OUT"),
    ("", f"source {SAMPLE} --steps {STEPS}"), ("", f"asm {SAMPLE} --steps {STEPS}"),
    ("", f"apply {SAMPLE} --steps {STEPS} --trace json"), ("", f"inspect {SAMPLE} --block Y --json"),
]


class Same(unittest.TestCase):
    def test_each(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("parallel.py", PARALLEL), ("relax.py", RELAX)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            layout = plain_layout()
            for line in PRODUCERS:
                with self.subTest(line[1]):
                    sums = [hashlib.sha256(produce(line, env, folder)).hexdigest() for env in RUNS]
                    sums.append(hashlib.sha256(produce(line, {}, folder, layout)).hexdigest())
                    self.assertEqual(len(set(sums)), 1)
                    self.assertNotEqual(sums[0], hashlib.sha256(b"").hexdigest())


if __name__ == "__main__":
    tap.main()
