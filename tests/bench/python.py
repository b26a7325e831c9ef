"""What Python pays: the decorator, Schedule calls, printing, building, import; against TVM v0.20.0's figures times the goal.

Each is noted in LS_BENCH_LOG as the other benchmarks do (bench.h), beside a loop of Python's own that does not change.

One line a figure: median, its half interquartile range, minimum, budget, ratio of the minimum to TVM's time.  The times are the
processor's, so that a busy machine disturbs less.  A figure above its budget is marked and does not fail the run; LS_BENCH_STRICT=1 makes it fail.
"""
import os
import resource
import subprocess
import sys
import time

# TVM v0.20.0 with LLVM 19, ms, and how many times faster we want to be.
TVM = {"decorator to module": (3.3, 10), "print": (0.21, 10), "five schedule steps": (0.75, 5), "tvm.build": (24.0, 2)}
IMPORT_MS = 100.0

# Started by hand, from any folder, it takes the module of the usual build.
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if "PYTHONPATH" not in os.environ:
    os.environ["PYTHONPATH"] = os.path.join(os.environ.get("LS_BUILD_ROOT", os.path.join(TOP, "build")), "engine", "python")
    sys.path.insert(0, os.environ["PYTHONPATH"])

SECONDS = float(os.environ.get("LS_BENCH_SECONDS", "2"))
over = []


def note(name, seconds):
    """A line of LS_BENCH_LOG."""
    if os.environ.get("LS_BENCH_LOG"):
        with open(os.environ["LS_BENCH_LOG"], "a", encoding="utf-8") as log:
            log.write(f"bench-python\t{name}\t{seconds * 1e9:.6g}\tns\tless\n")


def calibration():
    """The best time of a loop that does not change."""
    best = float("inf")
    for _ in range(30):
        start, words, state = time.process_time(), {}, 1
        for i in range(20000):
            state = (state * 6364136223846793005 + i) % (1 << 64)
            words[state >> 54] = str(i)
        best = min(best, time.process_time() - start)
    return best


def report(name, times, budget, other=None):
    """One line."""
    note(name, min(times))
    times = sorted(x * 1e3 for x in times)
    n = len(times)
    spread = (times[3 * n // 4] - times[n // 4]) / 2
    mark = "" if times[0] <= budget else "  OVER"
    if mark:
        over.append(name)
    ratio = f"  {other / times[0]:.1f} times faster than TVM" if other else ""
    print(f"python/{name:<24} {times[n // 2]:8.3f} ms  +-{spread:.3f}  min {times[0]:8.3f}  budget {budget:8.3f}{ratio}{mark}  ({n})", flush=True)


def measure(run):
    """Seconds of single runs."""
    run()
    times, end = [], time.perf_counter() + SECONDS
    while len(times) < 30 or (time.perf_counter() < end and len(times) < 1000):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
        if len(times) >= 5 and time.perf_counter() > end + 3 * SECONDS:
            break
    return times


def measured(name, run):
    """Measures and reports against TVM."""
    theirs, goal = TVM[name]
    report(name, measure(run), theirs / goal, theirs)


def importing(code):
    """What a Python that runs the code and ends costs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    """All figures."""
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
    note("calibration", calibration())
    bare = min(importing("pass") for _ in range(10))
    report("import tvm", [importing("import tvm") - bare for _ in range(15)], IMPORT_MS)

    import tvm
    from tvm.script import tir as T

    def decorate():
        @tvm.script.ir_module
        class MatmulRelu:
            @T.prim_func
            def mm_relu(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
                T.func_attr({"global_symbol": "mm_relu", "tir.noalias": True})
                Y = T.alloc_buffer((128, 128), dtype="float32")
                for i, j, k in T.grid(128, 128, 128):
                    with T.block("Y"):
                        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                        with T.init():
                            Y[vi, vj] = T.float32(0)
                        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
                for i, j in T.grid(128, 128):
                    with T.block("C"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        C[vi, vj] = T.max(Y[vi, vj], T.float32(0))

        return MatmulRelu

    module = decorate()

    def schedule():
        sch = tvm.tir.Schedule(module)
        block = sch.get_block("Y", func_name="mm_relu")
        _, j, k = sch.get_loops(block)
        j0, j1 = sch.split(j, factors=[None, 4])
        sch.reorder(j0, k, j1)
        sch.reverse_compute_at(sch.get_block("C", "mm_relu"), j0)
        sch.decompose_reduction(block, k)
        return sch

    measured("decorator to module", decorate)
    measured("print", module.script)
    measured("five schedule steps", schedule)
    measured("tvm.build", lambda: tvm.build(module, target="llvm"))
    return 1 if over and os.environ.get("LS_BENCH_STRICT") == "1" else 0


sys.exit(main())
