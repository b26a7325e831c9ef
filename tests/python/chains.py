"""Random chains of schedule steps on programs of our own, built and run after each accepted step: what is wrong then, or cannot be built, was warned of;
no step, warned of or not, makes a program that ends its process.

./check runs a few; LS_CHAINS=10000 so many, beginning with the seed LS_CHAINS_SEED.  A chain runs in a process of its own, so that one that ends it
is told with its steps."""
import inspect
import json
import os
import random
import signal
import unittest
import warnings

import numpy as np

import tap
import tvm
from tvm import te, tir, topi
from tvm.script import tir as T

CHAINS = int(os.environ.get("LS_CHAINS", "24"))
SEED = int(os.environ.get("LS_CHAINS_SEED", "1"))
WISHES = 14             # of a chain; about half are refused
SECONDS = 60            # of the processor, for one build and run
REFUSALS = (tvm.TVMError, ValueError, IndexError, TypeError, AssertionError)
LAYOUTS = {1: ["lambda i: (i // 4, i % 4)", "lambda i: (i % 2, i // 2)"],
           2: ["lambda i, j: (j, i)", "lambda i, j: (i // 4, i % 4, j)", "lambda i, j: (i, j // 2, j % 2)", "lambda i, j: (i // 2, j // 4, i % 2, j % 4)"],
           3: ["lambda i, j, k: (k, i, j)", "lambda i, j, k: (i, k // 2, j, k % 2)"],
           4: ["lambda a, b, c, d: (a, c, d, b)", "lambda a, b, c, d: (a, b // 2, c, d, b % 2)"]}


@T.prim_func
def stencil(A: T.Buffer((16, 16), "float32"), C: T.Buffer((14, 14), "float32")):
    B = T.alloc_buffer((16, 16), "float32")
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(14, 14):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + 1, vj + 2] + B[vi + 2, vj]


@T.prim_func
def product(A: T.Buffer((12, 8), "float32"), B: T.Buffer((8, 10), "float32"), D: T.Buffer((12, 10), "float32")):
    C = T.alloc_buffer((12, 10), "float32")
    for i, j, k in T.grid(12, 10, 8):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(12, 10):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj], T.float32(0))


@T.prim_func
def scan(A: T.Buffer((6, 9), "float32"), S: T.Buffer((6, 9), "float32")):
    for i, t in T.grid(6, 9):
        with T.block("S"):
            vi = T.axis.spatial(6, i)
            vt = T.axis.opaque(9, t)
            T.reads(A[vi, vt], S[vi, 0:9])
            T.writes(S[vi, vt])
            S[vi, vt] = T.if_then_else(vt > 0, S[vi, T.max(vt - 1, 0)], T.float32(0)) + A[vi, vt]


def made(make, *shapes):
    """The function of an expression of te over placeholders of these shapes."""
    given = [te.placeholder(shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    return te.create_prim_func(given + [make(*given)])


def programs():
    return {
        "stencil": stencil, "product": product, "scan": scan,
        "softmax": made(topi.nn.softmax, (6, 20)),
        "conv": made(lambda x, w: topi.nn.conv2d_nchw(x, w, 1, 1, 1), (1, 3, 10, 10), (4, 3, 3, 3)),
        "pool": made(lambda x: topi.nn.pool2d(x, (2, 2), (2, 2), (1, 1), (1, 1, 1, 1), "max"), (1, 2, 8, 8)),
        "turned": made(lambda x: topi.add(topi.transpose(x), topi.multiply(topi.transpose(x), topi.transpose(x))), (7, 12)),
        "mean": made(lambda x: topi.divide(topi.sum(x, 1, True), te.const(16.0, "float32")), (5, 16)),
        "largest": made(lambda x: topi.max(topi.exp(x), (0, 2)), (4, 4, 6)),
        "batch": made(topi.nn.batch_matmul, (3, 8, 4), (3, 6, 4)),
        "norm": made(lambda x, g, b: topi.nn.layer_norm(x, g, b, [1]), (6, 8), (8,), (8,)),
        "rows": made(lambda x, y: topi.nn.relu(topi.subtract(x, y)), (8, 9), (8, 9)),
    }


class Hand:
    """Takes a step that it draws; each method is a primitive, and gives it what it draws for that one."""

    def __init__(self, sch, draw):
        self.sch, self.draw = sch, draw
        self.names = []
        tir.stmt_functor.post_order_visit(sch.mod["main"].body, self.see)
        self.said = ""

    def see(self, node):
        if isinstance(node, tir.Block) and node.name_hint != "root":
            self.names.append(node.name_hint)

    def block(self):
        name = self.draw.choice(self.names)
        self.said += f" {name}"
        return self.sch.get_block(name)

    def loop(self, block=None):
        loops = self.sch.get_loops(block if block is not None else self.block())
        number = self.draw.randrange(len(loops))
        self.said += f" loop {number}"
        return loops[number]

    def one_of(self, *what):
        chosen = self.draw.choice(what)
        self.said += f" {chosen}"
        return chosen

    def layout(self, rank):
        if rank not in LAYOUTS:
            raise ValueError("no layout of so many dimensions is written down here")
        return eval(self.one_of(*LAYOUTS[rank]))        # pylint: disable=eval-used

    def rank(self, block):
        return len(self.sch.get(block).iter_vars)

    def split(self):
        self.sch.split(self.loop(), self.one_of([None, 2], [None, 4], [None, 3], [2, None], [None, 2, 2], [5, None]))

    def reorder(self):
        loops = self.sch.get_loops(self.block())
        one, other = sorted(self.draw.sample(range(len(loops)), 2))
        self.said += f" {other}, {one}"
        self.sch.reorder(loops[other], loops[one])

    def fuse(self):
        loops = self.sch.get_loops(self.block())
        at = self.draw.randrange(len(loops) - 1)
        self.said += f" {at}, {at + 1}"
        self.sch.fuse(loops[at], loops[at + 1])

    def compute_at(self):
        self.sch.compute_at(self.block(), self.loop(), self.one_of(False, False, True), self.one_of(-1, -1, -2, 0, 1))

    def reverse_compute_at(self):
        self.sch.reverse_compute_at(self.block(), self.loop(), self.one_of(False, False, True))

    def compute_inline(self):
        self.sch.compute_inline(self.block())

    def reverse_compute_inline(self):
        self.sch.reverse_compute_inline(self.block())

    def cache_read(self):
        self.sch.cache_read(self.block(), self.one_of(0, 1), self.one_of("global", "shared", "local"))

    def cache_write(self):
        self.sch.cache_write(self.block(), 0, self.one_of("global", "shared", "local"))

    def cache_inplace(self):
        self.sch.cache_inplace(self.block(), 0, "local")

    def cache_index(self):
        self.sch.cache_index(self.block(), "global", self.one_of(0, 1, 2))

    def reindex(self):
        self.sch.reindex(self.block(), self.one_of(("read", 0), ("write", 0), ("read", 1)))

    def reindex_cache_read(self):
        block = self.block()
        self.sch.reindex_cache_read(block, 0, "shared", self.layout(self.rank(block)))

    def reindex_cache_write(self):
        block = self.block()
        self.sch.reindex_cache_write(block, 0, "shared", self.layout(self.rank(block)))

    def transform_layout(self):
        block, (kind, number) = self.block(), self.one_of(("read", 0), ("write", 0))
        region = (self.sch.get(block).reads if kind == "read" else self.sch.get(block).writes)[number]
        if region.buffer.name in {one.name for one in self.sch.mod["main"].buffer_map.values()}:
            raise ValueError("the caller's arrays stay as they are")
        self.sch.transform_layout(block, (kind, number), self.layout(len(region.region)), self.one_of(None, 0.0))

    def transform_block_layout(self):
        block = self.block()
        self.sch.transform_block_layout(block, self.layout(self.rank(block)))

    def reorder_block_iter_var(self):
        block = self.block()
        order = list(range(self.rank(block)))
        self.draw.shuffle(order)
        self.said += f" {order}"
        self.sch.reorder_block_iter_var(block, order)

    def pad_einsum(self):
        block = self.block()
        self.sch.pad_einsum(block, [self.one_of(1, 3, 4, 8) for _ in range(self.rank(block))])

    def decompose_reduction(self):
        block = self.block()
        self.sch.decompose_reduction(block, self.loop(block))

    def decompose_padding(self):
        block = self.block()
        self.sch.decompose_padding(block, self.loop(block))

    def rfactor(self):
        self.sch.rfactor(self.loop(), self.one_of(0, 0, 1, -1))

    def merge(self):
        self.sch.merge(self.loop(), self.loop())

    def blockize(self):
        self.sch.blockize(self.loop())

    def loop_partition(self):
        self.sch.loop_partition(self.loop(), self.one_of([2, None], [3, None, 2]))

    def add_unit_loop(self):
        self.sch.add_unit_loop(self.block())

    def rolling_buffer(self):
        self.sch.rolling_buffer(self.block(), 0)

    def write_at(self):
        block = self.block()
        self.sch.write_at(self.loop(block), block, 0, self.one_of("shared", "local"))

    def read_at(self):
        block = self.block()
        self.sch.read_at(self.loop(block), block, 0, self.one_of("shared", "local"))

    def storage_align(self):
        self.sch.storage_align(self.block(), 0, self.one_of(0, 1), 16, self.one_of(0, 1, 2, 3))

    def set_scope(self):
        self.sch.set_scope(self.block(), 0, self.one_of("shared", "local"))

    def vectorize(self):
        self.sch.vectorize(self.loop())

    def parallel(self):
        self.sch.parallel(self.loop())

    def unroll(self):
        self.sch.unroll(self.loop())


PRIMITIVES = sorted(name for name, what in vars(Hand).items() if inspect.isfunction(what) and hasattr(tir.Schedule, name))


def run(module, arrays):
    tensors = [tvm.nd.array(array.copy()) for array in arrays]
    tvm.build(module, target="llvm")["main"](*tensors)
    return [tensor.numpy() for tensor in tensors]


def chain(name, func, seed, tell):
    """Tells of each accepted step, and what came of it: warned, wrong, not built, or nothing of that."""
    draw = random.Random(seed)
    numbers = np.random.default_rng(seed)
    buffers = [func.buffer_map[param] for param in func.params]
    arrays = [(numbers.integers(-8, 8, [int(size) for size in buffer.shape]) / 4).astype(buffer.dtype) for buffer in buffers]
    wanted = run(tvm.IRModule({"main": func}), arrays)
    sch = tir.Schedule(func, seed=seed)
    warned = False
    for _ in range(WISHES):
        primitive = draw.choice(PRIMITIVES)
        hand = Hand(sch, draw)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                getattr(hand, primitive)()
            except REFUSALS:
                continue
        warned |= bool(heard)
        tell("step", f"{primitive}{hand.said}", warned)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            got = run(sch.mod, arrays)
        except Exception as error:          # pylint: disable=broad-except
            return tell("end", f"{name} cannot be built or run: {error}", warned)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if not all(np.allclose(one, other, rtol=1e-4, atol=1e-4) for one, other in zip(got, wanted)):
            return tell("end", f"{name} gives another result", warned)
    return tell("end", "", warned)


class Account:
    """What the chains came to."""

    def __init__(self):
        self.chains = self.steps = self.doubted = 0
        self.findings = []

    def add(self, name, func, seed):
        """One chain, in a process of its own."""
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reads)
            with os.fdopen(writes, "w", encoding="utf-8", buffering=1) as out:
                chain(name, func, seed, lambda *what: out.write(json.dumps(what) + "\n"))
            os._exit(0)
        os.close(writes)
        with os.fdopen(reads, encoding="utf-8") as told:
            lines = [json.loads(line) for line in told]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        steps = [text for kind, text, _ in lines if kind == "step"]
        ended = lines[-1] if lines and lines[-1][0] == "end" else ["end", f"{name} ended its process with {status}", bool(lines) and lines[-1][2]]
        self.chains += 1
        self.steps += len(steps)
        if ended[1] and ended[2] and status == 0:
            self.doubted += 1
        elif ended[1]:
            self.findings.append(f"seed {seed}: {ended[1]}\n    " + "\n    ".join(steps))


class Chains(unittest.TestCase):
    def test_primitives_are_all_drawn(self):
        self.assertGreater(len(PRIMITIVES), 30)

    def test_nothing_is_wrong_without_a_word(self):
        account = Account()
        funcs = sorted(programs().items())
        for seed in range(SEED, SEED + CHAINS):
            account.add(*funcs[seed % len(funcs)], seed)
        print(f"# {account.chains} chains, {account.steps} accepted steps, {account.doubted} wrong after a warning", flush=True)
        self.assertEqual([], account.findings, "\n".join(account.findings))
        self.assertGreater(account.steps, 2 * CHAINS)


if __name__ == "__main__":
    tap.main()
