"""The same input gives the same bytes in every run: texts, LLVM's code, machine code, objects, libraries, models, lessons and pictures (pages hold
measured times, unless they are asked not to).

Each producer runs several times with another layout of memory (three of the kernel's choice, one always the same by setarch -R), 1, 2, 7 and 8
threads, and other contents of fresh memory; in a build with reverse_tables or with the library that does it (python/same_bytes-reversed), with hash tables gone through
backwards and forwards.

All samples and the models of data/models: what says most of each in two runs; with LS_SAME=all (python/same_bytes-full) everything in all runs."""
import glob
import hashlib
import os
import shutil
import subprocess
import sys
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
    (".pdf", f"graph {SAMPLE} -o OUT"), (".loops.svg", f"graph {SAMPLE} --kind loops --steps {STEPS} --dark -o OUT"), (".json", "graph relax.py -o OUT"),
    (".lesson.html", "lesson export lessons/01-loops.en.md --no-run -o OUT"), (".ipynb", "lesson export lessons/01-loops.en.md --to ipynb --no-run -o OUT"),
    (".lesson.pdf", "lesson export lessons/01-loops.en.md --to pdf --no-run -o OUT"),
]

# (is it quick, words): SAMPLE with its steps on a CPU, on a GPU, a graph.
ON_CPU = [(True, "lower SAMPLE --all"), (True, "llvm SAMPLE"), (False, "apply SAMPLE"), (False, "apply SAMPLE --trace json"), (False, "asm SAMPLE"), (False, "source SAMPLE"),
          (False, "source SAMPLE --format numpy"), (False, "graph SAMPLE --kind loops -o OUT"), (False, "report SAMPLE --no-time -o OUT")]
ON_GPU = [(True, "source SAMPLE --target cuda"), (False, "apply SAMPLE"), (False, "apply SAMPLE --trace json"), (False, "lower SAMPLE --all"), (False, "source SAMPLE --target opencl"),
          (False, "source SAMPLE --target cuda --format ptx"), (False, "graph SAMPLE --kind loops -o OUT"), (False, "report SAMPLE --no-time -o OUT")]
GRAPHS = [(True, "build SAMPLE -o OUT"), (False, "print SAMPLE"), (False, "pass SAMPLE --pass LegalizeOps --pass FuseOps() --pass FuseTIR"), (False, "graph SAMPLE -o OUT"), (False, "report SAMPLE --no-time -o OUT")]
SAVED = [(True, "import SAMPLE"), (False, "graph SAMPLE -o OUT")]


def samples():
    """(words, is it quick) of each sample and model: all of them, whatever is added."""
    os.chdir(ROOT)
    programs = sorted(glob.glob("data/samples/*.py") + glob.glob("data/samples/gpu/*.py") + glob.glob("data/models/*.py"))
    found = [(line.replace("SAMPLE", path), quick) for path in sorted(glob.glob("data/models/*.fx.json")) for quick, line in SAVED]
    for path in programs:
        if "_steps" in path:
            continue
        with open(path, encoding="utf-8") as file:
            is_graph = "R.function" in file.read()
        steps = [p for p in programs if p.startswith(path[:-3] + "_steps")]
        for with_steps in [f" --steps {p}" for p in steps] or [""]:
            for quick, line in GRAPHS if is_graph else ON_GPU if "/gpu/" in path else ON_CPU:
                if with_steps or not line.startswith("apply"):
                    found.append((line.replace("SAMPLE", path + with_steps), quick and ".avx512" not in with_steps))
    return found


# What Python writes of a module: objects, archives of them, libraries, LLVM's text, the program.
ENDINGS = [".o", ".tar", ".so", ".ll", ".s", ".program"]
WRITE = """import sys, tvm
folder, out = sys.argv[1:]
for name in "parallel", "relax":
    with open(f"{folder}/{name}.py", encoding="utf-8") as file:
        built = tvm.compile(tvm.script.from_source(file.read()), target="llvm")
    for ending in %r:
        if name == "parallel":
            built.save(out + ending)
        elif ending == ".so":
            built.export_library(out + ".relax" + ending)
"""


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


    def test_samples(self):
        found, everything = samples(), os.environ.get("LS_SAME") == "all"
        ending = {"build": ".lsx", "graph": ".svg", "report": ".html"}
        runs = [(env, ()) for env in (RUNS if everything else RUNS[2:3])] + [({"TVM_NUM_THREADS": "1", "MALLOC_PERTURB_": "85"}, plain_layout())]
        self.assertGreater(len(found), 100)
        with tempfile.TemporaryDirectory() as folder:
            for words, quick in found:
                if quick or everything:
                    with self.subTest(words):
                        made = [produce((ending.get(words.split()[0], ""), words), env, folder, layout) for env, layout in runs]
                        self.assertEqual(len(set(made)), 1)
                        self.assertNotEqual(made[0], b"")

    def test_libraries(self):
        seen = {}
        with tempfile.TemporaryDirectory() as folder:
            # The same source beside the code is compiled once: another one would be another object.
            once = {"CC": os.path.join(ROOT, "tests", "device", "cc"), "LS_TEST_OBJECTS": os.path.join(folder, "objects")}
            for name, text in (("parallel.py", PARALLEL), ("relax.py", RELAX)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            for number, (env, layout) in enumerate([(run, []) for run in RUNS] + [({}, plain_layout())]):
                # Each in a folder of another name: where it was written is not part of what is written.
                out = os.path.join(folder, "out" * (number + 1))
                os.mkdir(out)
                subprocess.run([*layout, sys.executable, "-c", WRITE % ENDINGS, folder, os.path.join(out, "built")], env=dict(os.environ, **once, **env), check=True, timeout=100)
                for name in sorted(os.listdir(out)):
                    with open(os.path.join(out, name), "rb") as file:
                        seen.setdefault(name, []).append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(sorted(seen), sorted(["built" + ending for ending in ENDINGS] + ["built.relax.so"]))
        for name, sums in seen.items():
            with self.subTest(name):
                self.assertEqual(len(sums), len(RUNS) + 1)
                self.assertEqual(len(set(sums)), 1)


if __name__ == "__main__":
    tap.main()
