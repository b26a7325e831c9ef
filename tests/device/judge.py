"""The simulator judged by hardware: a table of what is counted on simulated threads and what a device counted, for some forty kernels.

    judge.py loopscope-cli [--only WORD] [RESULT.json ...]     the table, of the kernels with this word in their names; results also of tests/device/recorded
    judge.py loopscope-cli [--only WORD] --export FOLDER         a bundle for each kernel, to be run where the device is

Equal is required of what the addresses alone decide (sectors and requests of global memory). What hardware may add stands with its reason. Where no
result is, the row says "not measured"; nothing is estimated. Exit status 1: what is required differs, or a result is damaged.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "..", "data", "samples", "gpu")
TENSOR = "nvidia/nvidia-a100"
PATIENCE = 100                  # seconds for a kernel on simulated threads
SMALLER = {"matmul": ("512", "128")}    # products of 512 rows are 1.2 thousand million operations of lanes, each checked: half a minute at best for each step

# name, words, is equality required, what a device may add
ROWS = (
    ("global_load_sectors", "sectors read", True, ""),
    ("global_store_sectors", "sectors written", True, ""),
    ("global_load_requests", "requests to read", True, ""),
    ("global_store_requests", "requests to write", True, ""),
    ("shared_load_passes", "passes over shared memory, reads", False, "the device counts passes that another unit took from it as well"),
    ("shared_store_passes", "passes over shared memory, writes", False, "the device counts passes that another unit took from it as well"),
    ("shared_load_conflicts", "bank conflicts, reads", False, "conflicts are reported where reads and writes meet too"),
    ("shared_store_conflicts", "bank conflicts, writes", False, "conflicts are reported where reads and writes meet too"),
    ("divergent", "branches that split a warp", False, "the compiler turns short branches into predicates"),
    ("instructions", "instructions of warps", False, "the device's are those of its own instruction set"),
)

STRIDED = """from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2048,), "float32"), B: T.Buffer((64,), "float32")):
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    for i in range(64):
        with T.block("B"):
            v = T.axis.spatial(64, i)
            B[v] = A[v * {0}]
"""
STRIDED_STEPS = """b, t = sch.split(sch.get_loops(sch.get_block("B"))[0], [None, 32])
sch.bind(b, "blockIdx.x")
sch.bind(t, "threadIdx.x")
"""
BANKS = """from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), B: T.Buffer((32,), "float32")):
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    S = T.alloc_buffer((1024,), scope="shared")
    for b in range(1):
        for k in range(32):
            for t in range(32):
                with T.block("S"):
                    v = T.axis.spatial(1024, k * 32 + t)
                    S[v] = A[v]
        for t in range(32):
            with T.block("B"):
                v = T.axis.spatial(32, t)
                B[v] = S[v * {0} % 1024]
"""
BANKS_STEPS = """b, _, t = sch.get_loops(sch.get_block("S"))
sch.bind(b, "blockIdx.x")
sch.bind(t, "threadIdx.x")
sch.bind(sch.get_loops(sch.get_block("B"))[1], "threadIdx.x")
"""


def program_of(name, folder):
    """The program of a history, in a size that is soon through."""
    path = os.path.join(SAMPLES, "history", name, "program.py")
    if name not in SMALLER:
        return path
    with open(path, encoding="utf-8") as file:
        text = file.read().replace(*SMALLER[name])
    path = os.path.join(folder, name + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def kernels(folder):
    """(name, program, steps, target) of each."""
    for path in sorted(glob.glob(os.path.join(SAMPLES, "*_steps.py"))):
        yield os.path.basename(path)[:-9], path[:-9] + ".py", path, "cuda"
    for path in sorted(glob.glob(os.path.join(SAMPLES, "history", "*", "[0-9]_*.py"))):
        name = os.path.basename(os.path.dirname(path))
        yield f"{name}/{os.path.basename(path)[:-3]}", program_of(name, folder), path, TENSOR if name.endswith("_f16") else "cuda"
    for kind, text, bound in (("stride", STRIDED, STRIDED_STEPS), ("banks", BANKS, BANKS_STEPS)):
        for step in (1, 2, 3, 4, 8, 16, 31, 32) if kind == "stride" else (0, 1, 2, 3, 4, 8, 16, 17, 32):
            path = os.path.join(folder, f"{kind}_{step}.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.format(step))
            os.makedirs(os.path.join(folder, "steps"), exist_ok=True)
            steps = os.path.join(folder, "steps", f"{kind}_{step}.py")
            with open(steps, "w", encoding="utf-8") as file:
                file.write(bound)
            yield f"{kind}_{step}", path, steps, "cuda"


def arguments(program, steps, target):
    return [program, "--steps", steps, "--target", target]


def counted(cli, program, steps, target):
    """What the simulator counts today, by the names of ROWS; None: the kernel is too large for it to end in time."""
    done = subprocess.run([cli, "simt", *arguments(program, steps, target), "--timeout", str(PATIENCE), "--json"], capture_output=True, text=True, check=False)
    if "did not finish" in done.stderr:
        return None
    if not done.stdout:
        raise SystemExit(f"{program}: {done.stderr}")
    run = json.loads(done.stdout)
    found = {name: 0 for name, *_ in ROWS}
    for site in run["sites"]:
        way = "store" if site["store"] else "load"
        if site["space"] == "global":
            found[f"global_{way}_sectors"] += site["sectors"]
            found[f"global_{way}_requests"] += site["requests"]
        elif site["space"] == "shared":
            found[f"shared_{way}_passes"] += site["passes"]
            found[f"shared_{way}_conflicts"] += site["passes"] - site["passes-needed"]
    for kernel in run["kernels"]:
        found["divergent"] += kernel["divergent"]
        found["instructions"] += kernel["instructions"]
    return found


def read(cli, paths):
    """The results that have counters of a device: (path, device, when, name of the step -> counts)."""
    known = []
    for path in paths:
        done = subprocess.run([cli, "device", "import", path, "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{path} is refused: {done.stderr}")
        result = json.loads(done.stdout)
        steps = {step["name"]: {row["name"]: row["device"] for row in step["counts"] if "device" in row} for step in result["steps"]}
        known.append((path, result["device"], result["when"], {name: counts for name, counts in steps.items() if counts}))
    return known


def result_of(cli, known, program, steps):
    """What a device counted for this kernel: of a result whose program and step have its structural hashes."""
    step = os.path.splitext(os.path.basename(steps))[0]
    for path, device, when, counts in known:
        if step in counts and subprocess.run([cli, "device", "import", path, "--program", program, "--steps", steps], capture_output=True, check=False).returncode == 0:
            return device, when, counts[step]
    return None


def table(cli, only, paths):
    known, wrong, measured, total = read(cli, paths), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, program, steps, target in kernels(folder):
            if only not in name:
                continue
            mine, theirs = counted(cli, program, steps, target), result_of(cli, known, program, steps)
            total += 1
            if mine is None:
                print(f"\n{name}: not simulated, it takes more than {PATIENCE} s")
                continue
            measured += theirs is not None
            print(f"\n{name}" + (f": {theirs[0]}, {theirs[1]}" if theirs else ": not measured"))
            for row, words, required, reason in ROWS:
                device = theirs[2].get(row) if theirs else None
                if device is None:
                    verdict = "not measured"
                elif device == mine[row]:
                    verdict = "equal"
                elif required:
                    verdict = "DIFFERS, and has to be equal"
                    wrong += 1
                else:
                    verdict = f"{device - mine[row]:+.0f}: {reason}"
                print(f"  {words:36} {mine[row]:>12} {'-' if device is None else format(device, '.0f'):>12}  {verdict}")
    print(f"\n{total} kernels, {measured} of them measured on a device, {wrong} counts differ that have to be equal")
    return 1 if wrong else 0


def export(cli, only, folder):
    with tempfile.TemporaryDirectory() as made:
        for name, program, steps, target in kernels(made):
            if only not in name:
                continue
            out = os.path.join(folder, name.replace("/", "_"))
            subprocess.run([cli, "device", "export", *arguments(program, steps, target), "-o", out], check=True)
    return 0


def main(words):
    if not words:
        raise SystemExit(__doc__)
    only, rest = (words[2], words[3:]) if words[1:2] == ["--only"] and len(words) > 2 else ("", words[1:])
    if rest[:1] == ["--export"] and len(rest) == 2:
        return export(words[0], only, rest[1])
    return table(words[0], only, [*sorted(glob.glob(os.path.join(HERE, "recorded", "*.json"))), *rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
