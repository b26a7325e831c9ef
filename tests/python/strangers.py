"""Everything of the package called with anything: an exception is an answer, the end of the process is none.

The calls are random, and the same for the same seed; each seed runs in a process and a folder of its own.  LS_CALLS says how many calls
a seed makes, LS_TEST_SEED with which seed to begin.  What was called last is told when a process ends by a signal.
"""
import importlib
import inspect
import os
import pkgutil
import random
import signal
import subprocess
import sys
import tempfile
import unittest

SEEDS = 3
CALLS = int(os.environ.get("LS_CALLS", "400"))
FIRST = int(os.environ.get("LS_TEST_SEED", "1"))
# What starts other processes, talks to the network or writes files is left alone.
LEFT_OUT = ("contrib", "rpc", "popen", "testing", "frontend", "builder.local", "local_", "runner", "profiler", "exec", "measure", "tune")
SECONDS = 2


def values():
    """Things of all kinds, made anew since calls may change them."""
    import numpy as np
    import tvm
    from tvm import relax, te, tir
    from tvm.script import ir as I
    from tvm.script import relax as R
    from tvm.script import tir as T

    @I.ir_module
    class Loops:
        @T.prim_func
        def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
            for i, j in T.grid(16, 16):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj] + T.float32(1)

    @I.ir_module
    class Graph:
        @R.function
        def main(x: R.Tensor((2, 3), "float32")):
            with R.dataflow():
                y = R.add(x, x)
                R.output(y)
            return y

    i, A, sch = tir.Var("i", "int32"), te.placeholder((4, 5), name="A"), tir.Schedule(Loops)
    x = relax.Var("x", relax.TensorStructInfo((2, 3), "float32"))
    block = sch.get_block("B")
    return [None, 0, 1, -1, 3.5, True, "", "abc", "int32", "global", [], [1, 2], (1,), {}, {"a": 1}, b"xx", 10**30, -2**63, float("nan"),
            "x" * 1000, [[[]]], object(), type, lambda *a: 0, lambda a: a, np.arange(3), np.float32(2), tvm.nd.array(np.zeros((2, 2), "float32")),
            i, i + 1, i * 2 < 3, tir.const(3, "int64"), tvm.ir.Range(0, 4), tir.IterVar((0, 4), i, 0), tir.decl_buffer((4, 4)),
            tir.IndexMap.from_func(lambda i: i + 1), A, te.compute((4,), lambda k: A[k, 0]), Loops, Loops["main"], Loops["main"].body,
            Loops["main"].body.block, Graph, Graph["main"], Graph["main"].body, sch, sch.trace, block, sch.get_loops(block)[0], sch.get_sref(block),
            x, relax.const(1.0), relax.op.add(x, x), relax.ShapeExpr([1, 2]), relax.TupleStructInfo([]), relax.BlockBuilder(),
            tvm.ir.GlobalVar("g"), tvm.ir.Op.get("relax.add"), tvm.arith.Analyzer(), tvm.target.Target("llvm"), tvm.DataType("int8")]


def functions():
    """What the package offers by name, each once, in a fixed order."""
    import tvm

    found = {}
    for module in pkgutil.walk_packages(tvm.__path__, "tvm.", onerror=lambda name: None):
        if any(word in module.name for word in LEFT_OUT):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if not name.startswith("__") and callable(value) and (getattr(value, "__module__", None) or "tvm").startswith(("tvm", "_loopscope")):
                found.setdefault(id(value), (f"{module.name}.{name}", value))
    return [row for row in found.values() if not any(word in row[0] for word in LEFT_OUT)]


def pick(rng, offered, pool):
    """A function, or a method of a value."""
    if rng.random() < 0.65:
        return rng.choice(offered)
    value = rng.choice([v for v in pool if type(v).__module__.startswith("tvm")])
    names = [name for name in sorted(dir(type(value))) if not name.startswith("__") or name in ("__add__", "__getitem__", "__call__", "__len__", "__iter__")]
    name = rng.choice(names)
    if any(word in name for word in ("export", "save", "time", "tune", "_move")):
        return None
    try:
        return f"{type(value).__name__}.{name}", getattr(value, name)
    except Exception:
        return None


def arguments(rng, function, pool):
    """As many as it takes, or some other number."""
    count = rng.choice([0, 1, 1, 2, 2, 3, 4])
    if rng.random() < 0.7:
        try:
            count = min(len(inspect.signature(function).parameters), 6)
        except (TypeError, ValueError):
            pass
    return [rng.choice(pool) for _ in range(count)]


def too_long(number, frame):
    raise TimeoutError


def run(seed, log):
    """All calls of one seed; the name of each is in `log` before it is made."""
    rng = random.Random(seed)
    offered, pool = functions(), values()
    signal.signal(signal.SIGALRM, too_long)
    with open(log, "w", encoding="utf-8") as file:
        for number in range(CALLS):
            pool = values() if number % 100 == 99 else pool
            chosen = pick(rng, offered, pool)
            if chosen is None or not callable(chosen[1]):
                continue
            name, function = chosen
            given = arguments(rng, function, pool)
            file.seek(0)
            file.truncate()
            file.write(f"call {number}: {name} ({', '.join(type(value).__name__ for value in given)})")
            file.flush()
            signal.alarm(SECONDS)
            try:
                result = function(*given)
                if rng.random() < 0.3:
                    repr(result)
            except SystemError:
                raise
            except BaseException:
                pass
            finally:
                signal.alarm(0)


class Strangers(unittest.TestCase):
    def test_nothing_ends_the_process(self):
        for seed in range(FIRST, FIRST + SEEDS):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log")
                env = dict(os.environ, G_DEBUG="fatal-criticals", HOME=folder)
                child = subprocess.run([sys.executable, os.path.abspath(__file__), str(seed), log], cwd=folder, env=env, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
                with open(log, encoding="utf-8") as file:
                    last = file.read()
                self.assertEqual(child.returncode, 0, f"seed {seed}, {last}\n{child.stderr[-1500:]}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run(int(sys.argv[1]), sys.argv[2])
    else:
        import tap

        tap.main()
