"""Software pipelines with asynchronous stages, and dynamic shared memory: all small pipelines are right on simulated threads, with each wait and barrier
that they need; kernels with much shared memory become text that NVIDIA's compilers take where there are some."""
import itertools
import re
import shutil
import subprocess
import tempfile
import unittest

import _loopscope as core
import numpy as np
import tap
import tvm
from tvm import dlight as dl
from tvm import te, tir

TARGET = "cuda -arch=sm_80"
AMPERE = "cuda -arch=sm_80 -max_shared_memory_per_block=166912"

FIXED = "def main(A: T.Buffer(({n}, 128), 'float32'), B: T.Buffer(({n}, 128), 'float32'), C: T.Buffer(({n}, 128), 'float32')):"
OPEN = """def main(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 128))
    B = T.match_buffer(b, (n, 128))
    C = T.match_buffer(c, (n, 128))"""
BODY = """
    T.func_attr({{"global_symbol": "main", "tir.noalias": True}})
    for t in T.thread_binding(128, thread="threadIdx.x"):
        for i in T.serial({n}, annotations={{"software_pipeline_stage": {stages}, "software_pipeline_order": {order}, "software_pipeline_async_stages": {named}}}):
            with T.block("body"):
                S = T.alloc_buffer((128,), scope="{scope}")
                R = T.alloc_buffer((128,), scope="{scope}")
                with T.block("S"):
                    S[t] = A[i, t]
                with T.block("R"):
                    R[t] = B[i, t]
                with T.block("C"):
                    C[i, t] = S[127 - t] + R[127 - t] * T.float32(2)
"""


def pipeline(stages, order, named, rounds=None, scope="shared"):
    """C = A + 2 B with the columns back to front; rounds None: not known before it runs."""
    head = OPEN if rounds is None else FIXED.format(n=rounds)
    body = BODY.format(n="n" if rounds is None else rounds, stages=list(stages), order=list(order), named=list(named), scope=scope)
    return function(head + body)


def function(text):
    func = tvm.script.from_source("from tvm.script import tir as T\n\n@T.prim_func\n" + text)
    return func if isinstance(func, tir.PrimFunc) else func["main"]


def lowered(func, target=TARGET):
    return core.lower_device(func, target)


def merged(func):
    return tir.transform.MergeSharedMemoryAllocations()(tvm.IRModule({"main": func}))["main"]


def simulate(func, arrays, target=TARGET):
    """What the simulator finds; the last array is the result."""
    device = tvm.device("simt", 0)
    given = [tvm.nd.array(array, device) for array in arrays]
    found = [kind for kind, _ in core.simt_run(func, target, tuple(given)) if kind != "same-value"]
    return found, given[-1].numpy()


def run(func, rounds):
    a = np.arange(rounds * 128, dtype="float32").reshape(rounds, 128)
    found, result = simulate(func, (a, 3 * a + 1, np.zeros_like(a)))
    return found, bool(np.array_equal(result, (7 * a + 2)[:, ::-1]))


def schedules():
    """Stages, orders and asynchronous stages of three statements of which the third needs both others."""
    for stages in itertools.product(range(3), repeat=3):
        if min(stages) != 0 or stages[2] < max(stages[:2]):
            continue
        for order in itertools.permutations(range(3)):
            if any(stages[k] == stages[2] and order[k] > order[2] for k in (0, 1)):
                continue
            used = sorted(set(stages))
            for named in itertools.chain.from_iterable(itertools.combinations(used, n) for n in range(len(used) + 1)):
                yield stages, order, named


class Pipelines(unittest.TestCase):
    def test_every_one_of_known_rounds(self):
        for stages, order, named in schedules():
            for rounds in (1, 2, 3, 6):
                self.assertEqual(run(lowered(pipeline(stages, order, named, rounds)), rounds), ([], True), (stages, order, named, rounds))

    def test_every_one_of_rounds_not_known(self):
        for stages, order, named in schedules():
            func = lowered(pipeline(stages, order, named))
            for rounds in (1, 2, 5):
                self.assertEqual(run(func, rounds), ([], True), (stages, order, named, rounds))

    def test_fewer_rounds_than_stages_run_once(self):
        """What is added to is added to once, though prologue and epilogue have the same rounds."""
        body = """
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for t in T.thread_binding(128, thread="threadIdx.x"):
        for i in T.serial(%s, annotations={"software_pipeline_stage": [0, 1, 3], "software_pipeline_order": [0, 1, 2]}):
            with T.block("body"):
                S = T.alloc_buffer((128,), scope="shared")
                with T.block("S"):
                    S[t] = A[i, t] + T.float32(1)
                with T.block("C"):
                    C[0, t] = C[0, t] + S[t]
                with T.block("B"):
                    B[i, t] = B[i, t] + S[t]
"""
        for rounds in (1, 2, 3, 4, 7):
            for text in (FIXED.format(n=rounds) + body % rounds, OPEN + body % "n"):
                a = np.arange(rounds * 128, dtype="float32").reshape(rounds, 128)
                found, result = simulate(lowered(function(text)), (a, 0 * a, 0 * a))
                self.assertEqual(found, [])
                np.testing.assert_array_equal(result[0], (a + 1).sum(0))

    def test_waits_of_later_stages_leave_groups_under_way(self):
        """The copy of stage 1 is waited for while the next round's is under way."""
        counts = []

        def visit(node):
            if isinstance(node, tir.AttrStmt) and node.attr_key == "async_wait_inflight_count":
                counts.append(int(node.value))

        tir.stmt_functor.post_order_visit(lowered(pipeline((0, 1, 2), (0, 1, 2), (1,), 9)).body, visit)
        self.assertEqual(counts[0], 1)

    def injected(self, *args):
        return tir.transform.InjectSoftwarePipeline()(tvm.IRModule({"main": pipeline(*args)}))["main"]

    def chains(self, func):
        """Attributes that stand right inside of each other, the outermost first: (second word of the key, value)."""
        found = []

        def visit(node):
            if isinstance(node, tir.AttrStmt) and node.attr_key.startswith("async_"):
                chain = []
                while isinstance(node, tir.AttrStmt):
                    chain.append((node.attr_key.split("_")[1], str(node.value)))
                    node = node.body
                found.append(chain)

        tir.stmt_functor.post_order_visit(func.body, visit)
        return found

    def test_stages_have_queues_of_their_own(self):
        """The wait stands in the group of the part that waits, and no block in between."""
        chains = self.chains(self.injected((0, 1, 2), (0, 1, 2), (0, 1), 9))
        self.assertIn([("commit", "0"), ("scope", "1")], chains)
        self.assertIn([("commit", "1"), ("scope", "1")], chains)
        both = [chain for chain in chains if [key for key, _ in chain] == ["wait"] * 4]
        self.assertEqual({chain[0][1] for chain in both} | {chain[2][1] for chain in both}, {"0", "1"})

    def test_neighbours_make_one_group_and_one_wait(self):
        text = self.injected((0, 0, 1), (0, 1, 2), (0,), 9).script()
        self.assertEqual(text.count("async_commit_queue_scope"), 2)          # before the loop and in it
        self.assertEqual(text.count("async_scope"), 4)
        self.assertEqual(text.count("async_wait_queue_scope"), 2)            # in the loop and behind it
        self.assertIn("T.where(i + 1 < 9)", text)

    def test_what_was_one_group_before_the_loop_is_not_counted_twice(self):
        """S and R are neighbours there; in the loop C stands between them.  The first rounds of the loop have fewer groups behind them than the later ones."""
        func = lowered(pipeline((0, 0, 2), (0, 2, 1), (0,), 3))
        self.assertEqual(run(func, 3), ([], True))

    def test_a_wait_for_too_few_is_found(self):
        """Each wait counts: with one more group under way the simulator finds a read of what is not there yet."""
        for stages, named, rounds in (((0, 1, 2), (1,), 6), ((0, 0, 1), (0,), 6), ((0, 1, 1), (0, 1), 5)):
            good = lowered(pipeline(stages, (0, 1, 2), named, rounds))
            n = good.script().count("async_wait_inflight_count")
            caught = 0
            for number in range(n):
                seen = [0]

                def more(node):
                    if not (isinstance(node, tir.AttrStmt) and node.attr_key == "async_wait_inflight_count"):
                        return None
                    seen[0] += 1
                    if seen[0] - 1 != number:
                        return None
                    return tir.AttrStmt(node.node, node.attr_key, node.value + 1, node.body)

                body = tir.stmt_functor.ir_transform(good.body, None, more, ["tir.AttrStmt"])
                caught += "pending" in run(good.with_body(body), rounds)[0]
            self.assertGreater(caught, 0)
            self.assertEqual(run(good, rounds), ([], True))

    def test_a_device_without_says_so(self):
        for target, word in (("cuda -arch=sm_70", "cuda sm_70"), ("opencl", "opencl")):
            text = core.device_source("main", lowered(pipeline((0, 0, 1), (0, 1, 2), (0,), 4), target), target)
            self.assertIn(f"// Copies that are marked as asynchronous are ordinary ones for {word}: only NVIDIA's devices from sm_80 on have them.", text)
        text = core.device_source("main", lowered(pipeline((0, 0, 1), (0, 1, 2), (0,), 4)), TARGET)
        self.assertNotIn("ordinary", text)

    def test_a_loop_of_no_round_keeps_nothing_apart(self):
        """The barriers in a loop that may have no round are none between what stands before it and behind it."""
        func = function("""def main(a: T.handle, B: T.Buffer((64,), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    n = T.int32()
    A = T.match_buffer(a, (n, 64))
    for t in T.thread_binding(64, thread="threadIdx.x"):
        S = T.allocate([64], "float32", "shared")
        s = T.Buffer((64,), data=S, scope="shared")
        s[t] = A[0, t]
        for i in range(n - 1):
            s[t] = A[i + 1, t]
            B[t] = s[63 - t]
        B[t] = s[63 - t]
""")
        func = lowered(func)
        a = np.arange(64, dtype="float32").reshape(1, 64)
        found, result = simulate(func, (a, np.zeros(64, "float32")))
        self.assertEqual(found, [])
        np.testing.assert_array_equal(result, a[0, ::-1])


def halves(n, one="float16", result="float32"):
    a, b, r = te.placeholder((n, n), one, "A"), te.placeholder((n, n), one, "B"), te.reduce_axis((0, n))
    return te.create_prim_func([a, b, te.compute((n, n), lambda i, j: te.sum(a[i, r].astype(result) * b[j, r].astype(result), axis=r), "C")])


def scheduled(*args):
    with tvm.target.Target("nvidia/nvidia-a100"):
        return dl.ApplyDefaultSchedule(dl.gpu.Matmul())(tvm.IRModule({"main": halves(*args).with_attr("global_symbol", "main")}))["main"]


def taken(text, ending, *command):
    """Runs a compiler of NVIDIA's on a text, where there is one."""
    tool = shutil.which(command[0])
    if tool is None:
        return
    with tempfile.NamedTemporaryFile("w", suffix=ending) as file:
        file.write(text)
        file.flush()
        done = subprocess.run([tool, *command[1:], "-o", "/dev/null", file.name], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


class DynamicShared(unittest.TestCase):
    def test_one_piece_of_the_size_that_a_launch_asks_for(self):
        for n, one, result in ((256, "float16", "float32"), (128, "float16", "float16"), (256, "int8", "int32")):
            func = lowered(scheduled(n, one, result), AMPERE)
            text = core.device_source("main", func, AMPERE)
            self.assertEqual(re.findall(r"__shared__ .*", text), ["__shared__ __align__(32) unsigned char buf_dyn_shmem[];"])
            if result == "float32":
                taken(text, ".cu", "nvcc", "-arch=sm_80", "-cubin")
            self.assertEqual(len(re.findall(r'T.allocate\(.*"shared.dyn"\)', merged(func).script())), 1)

    def test_what_lies_over_each_other_is_kept_apart(self):
        """The merged kernel, in which the sums lie where the operands were, has no race and gives the same."""
        rng = np.random.default_rng(1)
        for n, one, result in ((256, "float16", "float32"), (256, "int8", "int32")):
            a, b = (rng.integers(-3, 4, (n, n)).astype(one) for _ in range(2))
            func = lowered(scheduled(n, one, result), AMPERE)
            for form in (func, merged(func)):
                found, got = simulate(form, (a, b, np.zeros((n, n), result)), AMPERE)
                self.assertEqual(found, [])
                np.testing.assert_array_equal(got.astype("float64"), a.astype("float64") @ b.astype("float64").T)

    def test_elements_of_other_sizes_at_the_same_index_meet(self):
        """Where S was, R lies: element t of one is not element t of the other."""
        func = lowered(function("""def main(A: T.Buffer((64,), "float16"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((64,), "float16", scope="shared.dyn")
            R = T.alloc_buffer((64,), "float32", scope="shared.dyn")
            with T.block("S"):
                S[t] = A[t]
            with T.block("B"):
                B[t] = T.Cast("float32", S[t])
            with T.block("R"):
                R[t] = B[t]
            with T.block("C"):
                C[t] = R[t]
"""))
        one_piece = merged(func)
        self.assertIn('T.allocate([256], "uint8", "shared.dyn")', one_piece.script())
        a = np.arange(64, dtype="float16")
        found, result = simulate(one_piece, (a, np.zeros(64, "float32"), np.zeros(64, "float32")))
        self.assertEqual(found, [])
        np.testing.assert_array_equal(result, a)

    def test_parts_begin_where_their_elements_can(self):
        """Three bytes, then numbers of four: in text each piece begins at a multiple of 32 bytes."""
        func = lowered(function("""def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for t in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((33,), "int8", scope="shared.dyn")
            R = T.alloc_buffer((32,), "float32", scope="shared.dyn")
            with T.block("S"):
                S[t] = T.Cast("int8", A[t])
            with T.block("R"):
                R[t] = A[t]
            with T.block("B"):
                B[t] = R[31 - t] + T.Cast("float32", S[31 - t])
"""))
        text = core.device_source("main", func, TARGET)
        offsets = [int(number) for number in re.findall(r"\(\(float \*\)buf_dyn_shmem\)\[.*?\+ (\d+)\]", text)] or [0]
        self.assertTrue(all(number * 4 % 32 == 0 for number in offsets), text)
        taken(text, ".cu", "nvcc", "-arch=sm_80", "-cubin")

    def test_the_limit_of_fixed_sizes(self):
        text = """def main(A: T.Buffer((16384,), "float32"), B: T.Buffer((16384,), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for t in T.thread_binding(128, thread="threadIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((16384,), "float32", scope="%s")
            for i in range(128):
                with T.block("S"):
                    S[i * 128 + t] = A[i * 128 + t]
            for i in range(128):
                with T.block("B"):
                    B[i * 128 + t] = S[i * 128 + t]
"""
        fixed, dynamic = (lowered(function(text % scope), AMPERE) for scope in ("shared", "shared.dyn"))
        with self.assertRaisesRegex(tvm.TVMError, "main_kernel has 65536 bytes of memory of the scope \"shared\" in a block; NVIDIA's assembler takes at most 49152"):
            core.device_source("main", fixed, AMPERE)
        a = np.arange(16384, dtype="float32")
        with self.assertRaisesRegex(tvm.TVMError, 'A block needs 65536 bytes of memory of the scope "shared"; for cuda at most 49152'):
            simulate(fixed, (a, a * 0), AMPERE)
        found, result = simulate(dynamic, (a, a * 0), AMPERE)
        self.assertEqual(found, [])
        np.testing.assert_array_equal(result, a)
        self.assertIn("extern __shared__ __align__(16) float S[];", core.device_source("main", dynamic, AMPERE))


if __name__ == "__main__":
    tap.main()
