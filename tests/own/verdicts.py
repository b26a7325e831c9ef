#!/usr/bin/env python3
"""Verdicts are held to the clock: of each cause one thing is changed on purpose, in programs that run; the time has to do what the verdict says.

Each experiment has a program (with steps) whose verdict names a cause, and the same without that cause (other steps, or the one thing changed in the
program).  The verdict of the second must name another cause, and it must be faster by more than noise; where the cause is not what was changed
(a control), the time must stay.  Times are the least of several runs by turns, of programs on one core what they had the processor for, and an
experiment has several tries: other work on the machine makes programs slower, never faster.  What several cores do cannot be seen where others have them:
such an experiment that fails on a busy machine is skipped and says so.
"""
import json
import os
import subprocess
import sys
import tempfile

TOP = os.environ.get("LS_SOURCE_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
CLI = os.path.join(os.environ.get("LS_BUILD_ROOT", os.path.join(TOP, "build")), "app", "cli", "loopscope-cli")
CORES = len(os.sched_getaffinity(0))
TRIES = 4

HEAD = """from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main("""
VECTORS = 'b = sch.get_block("Y", func_name="main")\ni = sch.get_loops(b)[0]\ni0, i1 = sch.split(i, factors=[None, 16])\nsch.vectorize(i1)\n'
WIDE = VECTORS.replace("16", "64")      # so many side by side that none waits for its own operations
PARALLEL = 'b = sch.get_block("Y", func_name="main")\nsch.parallel(sch.get_loops(b)[0])\n'
TILE = """b = sch.get_block("Y", func_name="main")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, factors=[None, 4])
j0, j1 = sch.split(j, factors=[None, 16])
sch.reorder(i0, j0, k, i1, j1)
sch.unroll(i1)
"""


def program(parameters, loops, kinds, body, init=None):
    """A function of one block Y; the loops are a dictionary of names and extents."""
    names = list(loops)
    listed = ", ".join(f'{name}: T.Buffer({shape}, "float32")' for name, shape in parameters.items())
    bound = ", ".join("v" + name for name in names)
    axes = f'{bound} = T.axis.remap("{kinds}", [{", ".join(names)}])'
    if len(names) == 1:
        axes = f'{bound} = T.axis.{"spatial" if kinds == "S" else "reduce"}({loops[names[0]]}, {names[0]})'
    grid = f"range({loops[names[0]]})" if len(names) == 1 else f'T.grid({", ".join(str(n) for n in loops.values())})'
    text = HEAD + listed + "):\n" + '        T.func_attr({"tir.noalias": T.bool(True)})\n'
    text += f'        for {", ".join(names)} in {grid}:\n            with T.block("Y"):\n                {axes}\n'
    if init is not None:
        text += f"                with T.init():\n                    {init} = T.float32(0)\n"
    return text + f"                {body}\n"


def each(n, value):
    return program({"X": f"({n},)", "Y": f"({n},)"}, {"i": n}, "S", f"Y[vi] = {value}")


def product(n):
    return program({"A": f"({n}, {n})", "B": f"({n}, {n})", "Y": f"({n}, {n})"}, {"i": n, "j": n, "k": n}, "SSR", "Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]", "Y[vi, vj]")


def third_cache():
    """Bytes of the cache that the first core reaches; 0: there is none, or it is not told.  The kernel tells it for the core, the C library of some
    processors for all that are in the socket."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cache/index3/size", encoding="ascii") as file:
            return int(file.read().strip().rstrip("K")) * 1024
    except (OSError, ValueError):
        told = subprocess.run(["getconf", "LEVEL3_CACHE_SIZE"], capture_output=True, text=True, check=False).stdout.strip()
        return int(told) if told.isdigit() else 0


def polynomial(degree):
    """So many multiply-adds for each number."""
    value = "X[vi]"
    for _ in range(degree):
        value = f"({value} * X[vi] + T.float32(0.5))"
    return value


class Folder:
    def __init__(self, folder):
        self.folder, self.n = folder, 0

    def write(self, text):
        self.n += 1
        path = os.path.join(self.folder, f"{self.n}.py")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path


def ask(*arguments):
    answer = subprocess.run([CLI, *arguments, "--json"], capture_output=True, text=True, check=False)
    if not answer.stdout:
        raise RuntimeError(f"{' '.join(arguments)}: {answer.stderr.strip()[-400:]}")
    return json.loads(answer.stdout)


def verdict(one, cores, measured):
    """Of a program after its steps."""
    path, steps = one
    words = ["advise", path, "--most", "0", "--cores", cores] + (["--steps", steps] if steps else []) + ([] if measured else ["--no-time"])
    return ask(*words)["verdict"]


def name_of(answer):
    """The cause; of a bandwidth with the level."""
    return f"bandwidth of {answer['behind']}" if answer.get("behind") else answer["cause"]


def least(one):
    path, steps = one
    result = ask("time", path, "--budget-ms", "60", *(["--steps", steps] if steps else []))
    result = (result.get("results") or result.get("versions"))[-1]
    if "min" not in result:
        raise RuntimeError(str(result))
    return result.get("own", result["min"])


def by_turns(first, second):
    times = [float("inf"), float("inf")]
    for _ in range(3):
        times = [min(best, least(one)) for best, one in zip(times, (first, second))]
    return times


# name, cause, cores, (program, steps) with it, (program, steps) without it, at least so many times as fast, and a control: what is changed without effect
# on the time beyond this factor, or None.
def experiments():
    sums = program({"X": "(256, 4096)", "Y": "(256,)"}, {"i": 256, "k": 4096}, "SR", "Y[vi] = Y[vi] + X[vi, vk]", "Y[vi]")
    parted = ('b = sch.get_block("Y", func_name="main")\ni, k = sch.get_loops(b)\nk0, k1 = sch.split(k, factors=[None, 32])\npart = sch.rfactor(k1, 1)\n'
              'l = sch.get_loops(part)\nsch.vectorize(l[-1])\nsch.decompose_reduction(part, l[-2])\n')
    across = program({"X": "(2048, 2048)", "Y": "(2048, 2048)"}, {"i": 2048, "j": 2048}, "SS", "Y[vi, vj] = X[vj, vi]")
    blocks = ('b = sch.get_block("Y", func_name="main")\ni, j = sch.get_loops(b)\ni0, i1 = sch.split(i, factors=[None, 8])\nj0, j1 = sch.split(j, factors=[None, 16])\n'
              'sch.reorder(i0, j0, i1, j1)\nsch.vectorize(j1)\nsch.unroll(i1)\n')
    short = program({"X": "(8192, 2)", "Y": "(8192, 2)"}, {"i": 8192, "j": 2}, "SS", "Y[vi, vj] = X[vi, vj] + T.float32(1)")
    long = ('b = sch.get_block("Y", func_name="main")\ni, j = sch.get_loops(b)\nf = sch.fuse(i, j)\nf0, f1 = sch.split(f, factors=[None, 16])\nsch.vectorize(f1)\n')
    large, small = 1 << 24, 1 << 12
    good = TILE + "sch.vectorize(j1)\nsch.decompose_reduction(b, k)\n"
    yield "a chain of sums", "chain", "one", (sums, None), (sums, parted), 2.0
    yield "loads across the lines", "latency", "one", (across, None), (across, blocks), 1.5
    yield "the naive product on one core", ("chain", "latency"), "one", (product(256), None), (product(256), good), 4.0
    yield "calls of a library", "calls", "one", (each(1 << 15, "T.exp(X[vi])"), None), (each(1 << 15, "T.exp(X[vi])"), VECTORS), 4.0
    yield "calls in vectors", "calls", "one", (each(1 << 15, "T.sin(X[vi])"), VECTORS), (each(1 << 15, "X[vi] * T.float32(3)"), VECTORS), 2.0
    yield "a short loop", "overhead", "one", (short, None), (short, long), 1.3
    square = program({"X": "(64, 64)", "Y": "(64, 64)"}, {"i": 64, "j": 64}, "SS", f"Y[vi, vj] = {polynomial(12).replace('[vi]', '[vi, vj]')}")
    down = 'b = sch.get_block("Y", func_name="main")\ni, j = sch.get_loops(b)\nsch.reorder(j, i)\n'
    along = 'b = sch.get_block("Y", func_name="main")\ni, j = sch.get_loops(b)\nj0, j1 = sch.split(j, factors=[None, 16])\nsch.vectorize(j1)\n'
    yield "lanes that are empty", "lanes", "one", (square, down), (square, along), 2.0
    yield "arithmetic", "arithmetic", "one", (each(small, polynomial(48)), WIDE), (each(small, "X[vi] + T.float32(1)"), WIDE), 4.0
    scattered = [program({"X": f"({n},)", "Y": "(65536,)"}, {"i": 65536}, "S", f"Y[vi] = X[(vi * 1299721) % {n}]") for n in (1 << 24, 1 << 10)]
    yield "latency of memory", "latency", "one", (scattered[0], None), (scattered[1], None), 3.0
    scaled, in_second, in_third = "X[vi] * T.float32(2)", 1 << 15, 1 << 19
    yield "bandwidth of the second cache", "bandwidth of L2", "one", (each(in_second, scaled), VECTORS), (each(1 << 11, scaled), VECTORS), 1.2 * in_second / (1 << 11)
    yield "bandwidth of the third cache", "bandwidth of L3", "one", (each(in_third, scaled), VECTORS), (each(1 << 11, scaled), VECTORS), 1.2 * in_third / (1 << 11)
    # Some machines say that they have hundreds of MiB of third cache.
    behind = "bandwidth of L3" if 8 * large < third_cache() else "bandwidth of DRAM"
    yield "bandwidth of memory", behind, "one", (each(large, "X[vi] * T.float32(2)"), VECTORS), (each(small, "X[vi] * T.float32(2)"), VECTORS), 1.5 * large / small
    if CORES > 1:
        spread = good.replace("sch.decompose", "sch.parallel(i0)\nsch.decompose")
        yield "cores that are idle", "cores", "all", (product(512), good), (product(512), spread), 1.3
        near, apart = [program({"X": f"({CORES}, 16384, 4)", "Y": f"({CORES}, {n})"}, {"i": CORES, "k": 16384, "j": 4}, "SRS", "Y[vi, vj] = Y[vi, vj] + X[vi, vk, vj]", "Y[vi, vj]")
                       for n in (4, 64)]
        yield "lines that cores share", "sharing", "all", (near, PARALLEL), (apart, PARALLEL), 1.3
        yield "threads that are started for nothing", "threads", "all", (each(256, "X[vi] + T.float32(1)"), PARALLEL), (each(256, "X[vi] + T.float32(1)"), None), 3.0


def controls():
    """What a verdict says not to matter does not: name, program, program with the other thing changed, factor that the times stay within."""
    large = 1 << 24
    yield "arithmetic: half of the operations take half of the time", (each(1 << 12, polynomial(12)), WIDE), (each(1 << 12, polynomial(24)), WIDE), 2.6
    padded = program({"X": "(64, 62, 62)", "Y": "(64, 64, 64)"}, {"c": 64, "i": 64, "j": 64}, "SSS",
                     "Y[vc, vi, vj] = T.if_then_else(1 <= vi and vi < 63 and 1 <= vj and vj < 63, X[vc, vi - 1, vj - 1], T.float32(0))")
    stencil = program({"X": "(258, 258)", "Y": "(256, 256)"}, {"i": 256, "j": 256}, "SS", "Y[vi, vj] = X[vi, vj + 1] + X[vi + 1, vj] + X[vi + 1, vj + 2] + X[vi + 2, vj + 1]")
    inner = 'b = sch.get_block("Y", func_name="main")\nj0, j1 = sch.split(sch.get_loops(b)[-1], factors=[None, 16])\nsch.vectorize(j1)\n'
    yield "a choice between a load and a number: as fast as with vectors by hand", (padded, inner), (padded, None), 1.3
    yield "a plain loop: as fast as with vectors by hand", (stencil, inner), (stencil, None), 1.3
    yield "memory: two more operations change nothing", (each(large, "X[vi] * T.float32(2)"), VECTORS), (each(large, "(X[vi] * T.float32(2) + T.float32(1)) * X[vi]"), VECTORS), 1.4


def side_by_side(block, row, sums):
    """Four sums side by side, where the loop `row` is spatial and those of `sums` are the reduction; nothing else changes."""
    inner = ", ".join(f"l[{i}]" for i in sums)
    return (f'b = sch.get_block("{block}", func_name="main")\nl = sch.get_loops(b)\nr0, r1 = sch.split(l[{row}], factors=[None, 4])\n'
            f"sch.reorder({inner}, r1)\nsch.unroll(r1)\nsch.decompose_reduction(b, l[{sums[0]}])\n")


def sample(name):
    with open(os.path.join(TOP, *(("data", "samples") if name in ("matmul_128", "matmul_512", "matmul_1024", "conv2d", "layer_norm") else ("tests", "data", "advice")), name + ".py"),
              encoding="utf-8") as file:
        return file.read()


# Programs as they are opened: the cause, what takes it away and nothing else (steps, or a change of the text), at least so many times as fast.
NAIVE = [
    ("matmul_128", ("chain", "latency"), side_by_side("C", 1, [2]), None, 1.4),
    ("matmul_512", ("latency",), None, ("B[vk, vj]", "B[vj, vk]"), 1.4),
    ("matmul_1024", ("latency",), None, ("B[vk, vj]", "B[vj, vk]"), 1.4),
    ("conv2d", ("chain",), side_by_side("conv", 3, [4, 5, 6]), None, 1.2),
    ("depthwise", ("loads", "lanes", "overhead"), 'b = sch.get_block("depthwise", func_name="main")\nl = sch.get_loops(b)\nx0, x1 = sch.split(l[3], factors=[None, 8])\n'
     "sch.reorder(x0, l[4], l[5], x1)\nsch.vectorize(x1)\nsch.decompose_reduction(b, l[4])\n", None, 1.2),
    ("bmm_gelu", ("chain", "latency"), side_by_side("matmul", 2, [3]), None, 1.4),
    ("layer_norm", ("chain",), side_by_side("sum", 0, [1]) + side_by_side("squares", 0, [1]), None, 1.3),
    ("softmax_1024", ("calls",), None, ("T.exp(X[vi, vj] - M[vi])", "(X[vi, vj] - M[vi])"), 1.4),
    ("transpose_2048", ("latency",), None, ("X[vj, vi]", "X[vi, vj]"), 1.6),
]

# Programs after advice was followed: operations that are added to the text, which have to show where arithmetic is the cause and not where memory is;
# what is calls, or was before it became vectors, is taken out and the time has to fall.  Of any other cause (loads, a chain) the time has to change as the count of that cause and
# of arithmetic does: operations that it hides are free, those beyond are not.
MORE = {
    "matmul_128": ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj] * B[vk, vj] * A[vi, vk]"),
    "matmul_512": ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj] * B[vk, vj] * A[vi, vk]"),
    "matmul_1024": ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj] * B[vk, vj] * A[vi, vk]"),
    "conv2d": ("* W[vf, vc, vr, vs]", "* W[vf, vc, vr, vs] * W[vf, vc, vr, vs] * W[vf, vc, vr, vs]"),
    "depthwise": ("* W[vc, vr, vs]", "* W[vc, vr, vs] * W[vc, vr, vs] * W[vc, vr, vs]"),
    "transpose_2048": ("= X[vj, vi]", "= X[vj, vi] * T.float32(2) + T.float32(1)"),
    "layer_norm": ("* G[vj] + B[vj]", "* G[vj]" + " * X[vi, vj] * G[vj]" * 12 + " + B[vj]"),
    "softmax_1024": ("T.exp(X[vi, vj] - M[vi])", "(X[vi, vj] - M[vi])"),
    "bmm_gelu": ("T.erf(D[vb, vi, vj] * T.float32(0.70710678))", "(D[vb, vi, vj] * T.float32(0.70710678))"),
}


def naive_programs():
    for name, causes, steps, change, factor in NAIVE:
        text = sample(name)
        assert change is None or change[0] in text, name
        yield f"{name} as it is opened", causes, "one", (text, None), (text.replace(*change) if change else text, steps), factor


def run_good(folder, name):
    text = sample(name)
    path = folder.write(text)
    best = ask("advise", path, "--follow", "4", "--budget", "20", "--cores", "one")["best"]
    steps = folder.write(best["trace"])
    first, second = (path, steps), (folder.write(text.replace(*MORE[name])), steps)
    trouble = said = ""
    for _ in range(TRIES):
        before, after = verdict(first, "one", True), verdict(second, "one", False)
        cause, counted = before["cause"], after["estimated-seconds"] / before["estimated-seconds"]
        times = by_turns(first, second)
        more = times[1] / times[0]
        said = f"{cause}; with the changed operations x{more:.2f}, by the count x{counted:.2f}: {text.count(MORE[name][0])} place"
        trouble = ("the cause of all time is taken out, and it stays" if cause == "calls" and more > 0.85
                   else "less arithmetic takes as long" if cause == "arithmetic" and counted < 1 and more > 0.85
                   else "more arithmetic takes no longer" if cause == "arithmetic" and counted >= 1 and more < 1.2
                   else "more arithmetic takes longer" if cause in ("bandwidth", "latency") and more > 1.3
                   else "it does not take what is counted" if cause not in ("calls", "arithmetic", "bandwidth", "latency") and not 0.55 < more / counted < 1.8 else "")
        if not trouble:
            break
    return f"{name} after advice: {cause}", said, trouble


def run_experiment(folder, one):
    name, causes, cores, first, second, factor = one
    causes = causes if isinstance(causes, tuple) else (causes,)
    first, second = [(folder.write(text), folder.write(steps) if steps else None) for text, steps in (first, second)]
    said, trouble = "", ""
    for _ in range(TRIES):
        before, after = verdict(first, cores, True), verdict(second, cores, True)
        times = by_turns(first, second)
        first_cause, then = name_of(before), name_of(after)
        said = f"{first_cause} -> {then}, {times[0] / 1e3:.1f} us -> {times[1] / 1e3:.1f} us (x{times[0] / times[1]:.2f}); {before['sentence']}"
        trouble = ("the cause is another one" if first_cause not in causes else "the cause is not known" if not before["known"]
                   else "the verdict did not follow" if then == first_cause and after["share"] < 1.2 * before["share"]
                   else f"it should be {factor:.2f} times as fast" if times[0] < factor * times[1] else "")
        if not trouble:
            break
    return name, said, trouble


def run_control(folder, one):
    name, first, second, factor = one
    first, second = [(folder.write(text), folder.write(steps) if steps else None) for text, steps in (first, second)]
    for _ in range(TRIES):
        times = by_turns(first, second)
        if times[1] < factor * times[0]:
            break
    return name, f"x{times[1] / times[0]:.2f}", "" if times[1] < factor * times[0] else f"it should not take {factor:.2f} times as long"


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    n, failed = 0, 0
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        for run, list_ in ((run_experiment, experiments()), (run_control, controls()), (run_experiment, naive_programs()), (run_good, MORE)):
            for one in list_:
                if only not in (one if run is run_good else one[0]):
                    continue
                name, said, trouble = run(folder, one)
                n += 1
                busy = trouble and run is run_experiment and one[2] == "all" and os.getloadavg()[0] > CORES
                failed += bool(trouble) and not busy
                after = f" # SKIP other work has the other cores (load {os.getloadavg()[0]:.0f})" if busy else f": {trouble}" if trouble else ""
                print(f"# {said}\n{'not ok' if trouble and not busy else 'ok'} {n} - {name}{after}", flush=True)
    print(f"1..{n}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
