"""The tuner's figures as one table: how long 64 trials take, what the model of cost costs, candidates a second, what comes out against OpenBLAS and against the program
as it was, beside what is asked of each.

    /usr/bin/python3 tests/bench/tuning.py [--quick] [--trials N] [--out FILE.json]

--quick: 16 trials of each, and no 200 for the product of 1024 (to see that the table works).  Times are measured on this machine as it is; a busy one
says so in its load.  OpenBLAS runs with one thread and with as many as there are processors, on each of its kernels that this machine has; the best of them counts.  meta_schedule v0.20.0 itself is
not here, so there is no figure against its best.  What model of cost finds better programs is the benchmark `tuners`.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LS_BUILD_ROOT", os.path.join(TOP, "build"))
CLI = os.path.join(BUILD, "app", "cli", "loopscope-cli")
SAMPLES = os.path.join(TOP, "data", "samples")
PRODUCTS = {128: (10, 64), 512: (15, 64), 1024: (45, 200)}      # size: (seconds that 64 trials may take, trials for the comparison)
CORES = ("", "Haswell", "SkylakeX", "Zen", "Cooperlake")
OTHERS = {"conv2d": "conv2d.py", "softmax": "softmax.py", "layer norm": "layer_norm.py", "dense 1x128x784": None, "depthwise": None}
DENSE = '''# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1, 784), "float32"), W: T.Buffer((128, 784), "float32"), C: T.Buffer((1, 128), "float32")):
        for i, j, k in T.grid(1, 128, 784):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vj, vk]
'''
DEPTHWISE = '''# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32, 34, 34), "float32"), W: T.Buffer((32, 3, 3), "float32"), C: T.Buffer((32, 32, 32), "float32")):
        for c, i, j, y, x in T.grid(32, 32, 32, 3, 3):
            with T.block("C"):
                vc, vi, vj, vy, vx = T.axis.remap("SSSRR", [c, i, j, y, x])
                with T.init():
                    C[vc, vi, vj] = T.float32(0)
                C[vc, vi, vj] = C[vc, vi, vj] + A[vc, vi + vy, vj + vx] * W[vc, vy, vx]
'''


def search(path, trials, model="ridge"):
    """The search's own account, or None with what it said."""
    start = time.monotonic()
    done = subprocess.run([CLI, "search", path, "--space", "post-order", "--trials", str(trials), "--cost-model", model, "--seed", "1", "--json"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("#", path, done.stderr.strip().splitlines()[-1:], flush=True)
        return None
    answer = json.loads(done.stdout)
    answer["wall"] = time.monotonic() - start
    return answer


def openblas_here(n):
    """GFLOP/s of cblas_sgemm in this process: the best of several rounds."""
    library = ctypes.CDLL("libopenblas.so.0")
    data = [(ctypes.c_float * (n * n))(*([0.5] * (n * n))) for _ in range(3)]
    one, size = ctypes.c_float(1), ctypes.c_int(n)
    best, until = 1e9, time.monotonic() + 1
    while time.monotonic() < until:
        start = time.perf_counter()
        for _ in range(max(1, 64 * 128 * 128 * 128 // n ** 3)):
            library.cblas_sgemm(101, 111, 111, size, size, size, one, data[0], size, data[1], size, ctypes.c_float(0), data[2], size)
        best = min(best, (time.perf_counter() - start) / max(1, 64 * 128 * 128 * 128 // n ** 3))
    return 2 * n ** 3 / best / 1e9


def openblas(n):
    """The best of its kernels that run on this machine; None: it is not here."""
    found = {}
    for core, threads in [(core, threads) for core in CORES for threads in sorted({1, os.cpu_count() or 1})]:
        env = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), **({"OPENBLAS_CORETYPE": core} if core else {}))
        done = subprocess.run([sys.executable, __file__, "--openblas", str(n)], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if done.returncode == 0:
            found[f"{core or 'its choice'}, {threads} threads"] = float(done.stdout)
    return max(found.items(), key=lambda item: item[1]) if found else None


def row(rows, what, figure, goal, reached):
    """A line of the table as soon as it is known."""
    rows.append({"what": what, "figure": figure, "goal": goal, "reached": reached})
    print(f"{what:44} {figure:>34}  {goal:28} {'' if reached is None else 'reached' if reached else 'NOT reached'}", flush=True)


def products(rows, quick, trials):
    for n, (seconds, many) in PRODUCTS.items():
        path = os.path.join(SAMPLES, f"matmul_{n}.py")
        answer = search(path, trials)
        if answer is None:
            row(rows, f"{trials} trials, product of {n}", "the search found nothing", f"at most {seconds} s", False)
            continue
        row(rows, f"{trials} trials, product of {n}", f"{answer['wall']:.1f} s", f"at most {seconds} s", answer["wall"] <= seconds)
        if many > trials and not quick:
            answer = search(path, many) or answer
        ours, theirs = 2 * n ** 3 / answer["best"]["min"], openblas(n)
        if theirs is None:
            row(rows, f"product of {n}, {answer['trials']} trials", f"{ours:.0f} GFLOP/s", "OpenBLAS is not here", None)
        else:
            row(rows, f"product of {n}, {answer['trials']} trials", f"{ours:.0f} GFLOP/s", f"OpenBLAS {theirs[1]:.0f} ({theirs[0]})", ours > theirs[1])


def model(rows, trials):
    answer = search(os.path.join(SAMPLES, "matmul_512.py"), trials, "xgb")
    if answer is None or "XGBoost" not in answer.get("model", ""):
        row(rows, "share of the model of cost", "XGBoost is not here", "at most 10 %", None)
    else:
        row(rows, "share of the model of cost (xgb, 512)", f"{answer['model-share'] * 100:.1f} %", "at most 10 %", answer["model-share"] <= 0.1)
    program = os.path.join(BUILD, "tests", "bench", "bench-tune")
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False, env=dict(os.environ, LS_SOURCE_ROOT=TOP, G_TEST_SRCDIR=os.path.join(TOP, "tests"))) \
        if os.access(program, os.X_OK) else None
    if done is None or done.returncode != 0:
        row(rows, "candidates a second", "bench-tune is not built", "2,000", None)
        return
    for line in done.stdout.splitlines():
        if "programs/s" in line:
            print("    " + line, flush=True)
            rows.append({"what": "candidates a second: " + line.split("  ")[0].strip(), "line": line, "reached": "UNDER" not in line})


def operators(rows, folder, trials):
    for name, file in OTHERS.items():
        path = os.path.join(SAMPLES, file) if file else os.path.join(folder, name.split()[0] + ".py")
        if not file:
            with open(path, "w", encoding="utf-8") as out:
                out.write(DENSE if name.startswith("dense") else DEPTHWISE)
        answer = search(path, trials)
        if answer is None:
            row(rows, f"{name}, {trials} trials", "the search found nothing", "", False)
            continue
        best, base = answer["best"]["median"] / 1e3, answer["unscheduled"]["median"] / 1e3
        row(rows, f"{name}, {trials} trials", f"{best:.1f} µs, x{base / best:.1f} of {base:.0f} µs", "TVM's own is not here", None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--openblas", type=int)
    parser.add_argument("--out")
    args = parser.parse_args()
    if args.openblas:
        print(openblas_here(args.openblas))
        return 0
    trials, rows = 16 if args.quick else args.trials, []
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        products(rows, args.quick, trials)
        model(rows, trials)
        operators(rows, folder, trials)
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    missed = [one["what"] for one in rows if one.get("reached") is False]
    print("NOT reached: " + "; ".join(missed) if missed else "all that is asked for is reached")
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
