"""What the model of cost is good for: the same search by chance, with the ridge regression and with XGBoost's trees, on small operators.

    /usr/bin/python3 tests/bench/tuners.py [--trials N] [--seeds N] [--operators a,b,..] [--out FILE.json | --read FILE.json]

For each operator and seed one search of N trials by the command line; the figure is the best time after all trials over the best that any of the
searches found for the operator (1: as good as any), so that operators can be put together.  A line an operator: geometric mean over the seeds,
best and worst seed; the last lines: over all operators, and how often each was the best of the three.  Below it stands whether XGBoost's trees find faster
programs than the other two: the same operator and seed are one pair; what they say is the geometric mean of the pairs' ratios with the interval in which it lies
with 95 % (Student's t over operators, whose seeds are put together first: those of one operator are no independent witnesses).  Times are measured, so
the table differs from run to run; a busy machine differs more.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LS_BUILD_ROOT", os.path.join(TOP, "build"))
sys.path.insert(0, os.environ.get("PYTHONPATH", os.path.join(BUILD, "engine", "python")).split(":")[0])

tvm = te = topi = None


def need_tvm():
    """Only who searches needs it; the table of a file does not."""
    global tvm, te, topi                        # pylint: disable=global-statement
    import tvm as found                         # pylint: disable=import-outside-toplevel

    tvm, te, topi = found, found.te, found.topi


KINDS = {"chance": ["--strategy", "random"], "ridge": ["--cost-model", "ridge"], "xgb": ["--cost-model", "xgb"]}


def matmul(n, m, k):
    a, b = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B")
    r = te.reduce_axis((0, k), name="k")
    return [a, b, te.compute((n, m), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")]


def batch_matmul():
    a, b = te.placeholder((4, 32, 64), name="A"), te.placeholder((4, 64, 32), name="B")
    r = te.reduce_axis((0, 64), name="k")
    return [a, b, te.compute((4, 32, 32), lambda n, i, j: te.sum(a[n, i, r] * b[n, r, j], axis=r), name="C")]


def dense():
    a, w = te.placeholder((1, 784), name="A"), te.placeholder((128, 784), name="W")
    r = te.reduce_axis((0, 784), name="k")
    return [a, w, te.compute((1, 128), lambda i, j: te.sum(a[i, r] * w[j, r], axis=r), name="C")]


def conv1d():
    a, w = te.placeholder((16, 130), name="A"), te.placeholder((32, 16, 3), name="W")
    c, x = te.reduce_axis((0, 16), name="c"), te.reduce_axis((0, 3), name="x")
    return [a, w, te.compute((32, 128), lambda o, i: te.sum(a[c, i + x] * w[o, c, x], axis=[c, x]), name="C")]


def conv2d():
    a, w = te.placeholder((16, 18, 18), name="A"), te.placeholder((16, 16, 3, 3), name="W")
    c, y, x = (te.reduce_axis((0, n), name=name) for n, name in ((16, "c"), (3, "y"), (3, "x")))
    return [a, w, te.compute((16, 16, 16), lambda o, i, j: te.sum(a[c, i + y, j + x] * w[o, c, y, x], axis=[c, y, x]), name="C")]


def depthwise():
    a, w = te.placeholder((32, 34, 34), name="A"), te.placeholder((32, 3, 3), name="W")
    y, x = te.reduce_axis((0, 3), name="y"), te.reduce_axis((0, 3), name="x")
    return [a, w, te.compute((32, 32, 32), lambda c, i, j: te.sum(a[c, i + y, j + x] * w[c, y, x], axis=[y, x]), name="C")]


def softmax():
    a = te.placeholder((64, 256), name="A")
    return [a, topi.nn.softmax(a)]


def row_sums():
    a = te.placeholder((64, 1024), name="A")
    r = te.reduce_axis((0, 1024), name="k")
    return [a, te.compute((64,), lambda i: te.sum(a[i, r], axis=r), name="C")]


OPERATORS = {"matmul 64": lambda: matmul(64, 64, 64), "matmul 128": lambda: matmul(128, 128, 128), "matmul 32x256x64": lambda: matmul(32, 256, 64),
             "batch matmul": batch_matmul, "dense 1x128x784": dense, "conv1d": conv1d, "conv2d": conv2d, "depthwise": depthwise, "softmax": softmax,
             "row sums": row_sums}


def search(path, kind, seed, trials, budget):
    """The best time in ns, or None."""
    command = [os.path.join(BUILD, "app", "cli", "loopscope-cli"), "search", path, "--space", "post-order", "--trials", str(trials), "--seed", str(seed),
               "--budget-ms", str(budget), "--json"] + KINDS[kind]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)["best"]["min"] if done.returncode == 0 else None


def geometric(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else float("nan")


def table(found):
    """found: {operator: {kind: [best time of each seed]}}."""
    print(f"{'best time / best known':24}" + "".join(f"{kind:>18}" for kind in KINDS))
    ratios, wins = {kind: [] for kind in KINDS}, {kind: 0 for kind in KINDS}
    for name, times in found.items():
        best = min(time for one in times.values() for time in one if time)
        line, means = f"{name:24}", {}
        for kind in KINDS:
            own = [time / best for time in times[kind] if time]
            ratios[kind] += own
            means[kind] = geometric(own)
            line += f"{means[kind]:8.2f} {min(own, default=float('nan')):.2f}–{max(own, default=float('nan')):.2f}".rjust(18)
        wins[min(means, key=means.get)] += 1
        print(line)
    print(f"{'all operators':24}" + "".join(f"{geometric(ratios[kind]):18.2f}" for kind in KINDS))
    print(f"{'best of the three':24}" + "".join(f"{wins[kind]} of {len(found)}".rjust(18) for kind in KINDS))
    for other in ("chance", "ridge"):
        print(verdict(found, "xgb", other))


# Student's t at 97.5 % for 1, 2, .. degrees of freedom.
T975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)


def compare(found, one, other):
    """Time of one over the time of the other: geometric mean over operators, and the interval of 95 %; None: fewer than two operators have pairs."""
    logs = []
    for times in found.values():
        pairs = [math.log(a / b) for a, b in zip(times[one], times[other]) if a and b]
        if pairs:
            logs.append(sum(pairs) / len(pairs))
    if len(logs) < 2:
        return None
    mean = sum(logs) / len(logs)
    error = math.sqrt(sum((log - mean) ** 2 for log in logs) / (len(logs) - 1) / len(logs)) * T975[min(len(logs) - 2, len(T975) - 1)]
    return math.exp(mean), math.exp(mean - error), math.exp(mean + error)


def verdict(found, one, other):
    """Plainly who wins."""
    figures = compare(found, one, other)
    if figures is None:
        return f"{one} and {other}: too few operators to say anything"
    mean, low, high = figures
    figure = f"its best program takes {mean:.3f} of the time of {other}'s (95 %: {low:.3f} to {high:.3f}, {len(found)} operators)"
    if high < 1:
        return f"{one} wins over {other}: {figure}"
    if low > 1:
        return f"{one} LOSES against {other}: {figure}"
    return f"{one} does NOT win over {other}: {figure}, which is no difference that can be shown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--budget-ms", type=int, default=20)
    parser.add_argument("--operators", default="")
    parser.add_argument("--out")
    parser.add_argument("--read")
    args = parser.parse_args()
    if args.read:
        with open(args.read, encoding="utf-8") as file:
            table(json.load(file))
        return 0
    need_tvm()
    chosen = [name for name in OPERATORS if not args.operators or name in args.operators.split(",")]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            path = os.path.join(folder, name.replace(" ", "-") + ".py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(tvm.IRModule({"main": te.create_prim_func(OPERATORS[name]())}).script())
            found[name] = {kind: [] for kind in KINDS}
            for seed in range(1, args.seeds + 1):           # the three in turn, so that a busy minute falls on all of them
                for kind in KINDS:
                    found[name][kind].append(search(path, kind, seed, args.trials, args.budget_ms))
            if args.out:
                with open(args.out, "w", encoding="utf-8") as file:
                    json.dump(found, file)
            print(f"# {name} done", file=sys.stderr, flush=True)
    table({name: times for name, times in found.items() if any(time for one in times.values() for time in one)})
    if any(not time for times in found.values() for one in times.values() for time in one):
        print("some searches found nothing:", [name for name, times in found.items() if not all(time for one in times.values() for time in one)])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
