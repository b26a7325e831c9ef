"""meta_schedule: the numbers by which models of cost tell programs apart."""
import unittest

import tap
import tvm
from tvm import meta_schedule as ms
from tvm import tir
from tvm.script import tir as T


@T.prim_func
def product(A: T.Buffer((512, 512), "float32"), B: T.Buffer((512, 512), "float32"), C: T.Buffer((512, 512), "float32")):
    T.func_attr({"global_symbol": "main", "tir.noalias": True})
    for i, j, k in T.grid(512, 512, 512):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


def on_processor():
    sch = tir.Schedule(product, debug_mask="all")
    i, j, k = sch.get_loops(sch.get_block("C"))
    i_0, i_1 = sch.split(i, [None, 16])
    j_0, j_1 = sch.split(j, [None, 8])
    sch.reorder(i_0, j_0, k, j_1, i_1)
    sch.vectorize(j_1)
    sch.parallel(i_0)
    sch.parallel(j_0)
    sch.unroll(k)
    return sch


def on_gpu():
    sch = tir.Schedule(product, debug_mask="all")
    block = sch.get_block("C")
    local = sch.cache_write(block, 0, "local")
    i, j, k = sch.get_loops(block)
    i_0, i_1, i_2, i_3, i_4 = sch.split(i, [None, 1, 16, 32, 1])
    j_0, j_1, j_2, j_3, j_4 = sch.split(j, [None, 4, 1, 1, 16])
    k_0, k_1, k_2 = sch.split(k, [None, 1, 2])
    sch.reorder(i_0, j_0, i_1, j_1, i_2, j_2, k_0, k_1, i_3, j_3, k_2, i_4, j_4)
    blocks, virtual, threads = sch.fuse(i_0, j_0), sch.fuse(i_1, j_1), sch.fuse(i_2, j_2)
    for loop, axis in ((blocks, "blockIdx.x"), (virtual, "vthread.x"), (threads, "threadIdx.x")):
        sch.bind(loop, axis)
    sch.reverse_compute_at(local, threads)
    for n in (0, 1):
        shared = sch.cache_read(block, n, "shared")
        sch.compute_at(shared, k_0)
        _, inner = sch.split(sch.fuse(*sch.get_loops(shared)[-2:]), [None, 16])
        sch.bind(inner, "threadIdx.x")
    sch.annotate(blocks, "pragma_auto_unroll_max_step", 1024)
    sch.annotate(blocks, "pragma_unroll_explicit", 1)
    return sch


@unittest.skipUnless(tap.has_numpy(), "numpy is not installed")
class Stores(unittest.TestCase):
    def of(self, sch, target="llvm", **more):
        context = ms.TuneContext(product, target=target, num_threads=1)
        (found,) = ms.feature_extractor.PerStoreFeature(**more).extract_from(context, [ms.MeasureCandidate(sch, [])])
        return found.numpy()

    def near(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for i, (a, b) in enumerate(zip(found, wanted)):
            self.assertAlmostEqual(a, b, delta=1e-4, msg=f"number {i}")

    def test_processor(self):
        found = self.of(on_processor())
        self.assertEqual(found.shape, (1, 164))
        row = found[0]
        self.near(row[0:16], [0, 27, 27, 0, 0, 0, 0, 0, 29, 29, 0, 0, 0, 0, 0, 0])
        self.near(row[16:27], [1, 3.169925, 3.169925, 0, 0, 0, 0, 0, 0, 0, 1])
        self.near(row[38:49], [1.584962, 11.000704, 6.022368, 0, 0, 0, 0, 0, 0, 0, 1])
        self.near(row[57:75], [1, 0, 0, 29, 20, 27, 14.000088, 1, 0, 0, 4.087463, 7.055282, 3.169925, 26, 17.000011, 24, 11.000704, 9.002815])
        self.near(row[75:93], [0, 0, 1, 29, 20, 27, 14.000088, 1, 0, 0, 7.011227, 9.250299, 9.002815, 20, 11.000704, 18.000006, 5.044394, 9.002815])
        self.near(row[111:147], [0] * 36)
        self.near(row[147:150], [3.812599, 4.464822, 4.912349])
        self.near(row[157:164], [20, 18.000006, 1, 27, 27, 2.584963, 0])

    def test_gpu(self):
        found = self.of(on_gpu(), "cuda")
        self.assertEqual(found.shape, (4, 164))
        self.near(found[0][49:57], [1, 3.169925, 1, 1, 4.087463, 1, 1, 2.321928])
        self.near(found[0][57:75], [1, 0, 0, 25, 19.997181, 23, 13.997268, 1, 0, 0, 18.000006, 20.000001, 2.321928, 23, 17.997185, 21, 11.997532, 12.000352])
        self.near(found[0][157:164], [12.000352, 27, 17.000011, 6.022368, 23, 2.584963, 10.001408])
        self.near(found[1][8:11], [21.584963, 21.584963, 21.000001])
        self.near(found[2][93:111], [1, 0, 0, 29, 12.000352, 19.000003, 9.002815, 1, 0, 0, 1, 3.70044, 4.087463, 25, 8.005625, 15.000044, 5.044394, 0])
        self.near(found[3][75:93], [1, 0, 0, 20.000001, 11.000704, 14.000088, 5.044394, 1, 0, 0, 9.002815, 12.000352, 4.087463, 16.000022, 7.011227, 10.001408,
                                    1.584963, 1])

    def test_what_is_stored_and_read_again(self):
        @T.prim_func
        def copies(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32"), C: T.Buffer((64, 32), "float32")):
            for i, j in T.grid(64, 32):
                with T.block("o"):
                    T.reads(A[i, j], B[i, j])
                    T.writes(B[i, j], C[i, j])
                    with T.block("B"):
                        T.reads(A[i, j])
                        T.writes(B[i, j])
                        B[i, j] = A[i, j]
                    with T.block("C"):
                        T.reads(B[i, j])
                        T.writes(C[i, j])
                        C[i, j] = B[i, j]

        found = self.of(tir.Schedule(copies))
        self.assertEqual(found.shape, (2, 164))
        self.near(found[0][64:67], [0, 0, 1])
        self.near(found[1][57:75], [1, 0, 0, 13.000176, 13.000176, 7.011227, 7.011227, 0, 1, 0, 1, 4.087463, 1, 13.000176, 13.000176, 7.011227, 7.011227, 1])

    def test_constants_are_no_stores_and_lengths_may_be_negative(self):
        @T.prim_func
        def ones(A: T.Buffer((T.int64(2), T.int64(3)), "float32")):
            for i, j in T.grid(T.int64(2), T.int64(3)):
                with T.block("A"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    A[vi, vj] = T.float32(1)

        @T.prim_func
        def never(A: T.Buffer((1,), "float32")):
            for j in range(0, -1):
                A[j] = A[j] + T.float32(1)

        self.assertEqual(self.of(tir.Schedule(ones)).shape, (0, 164))
        self.assertEqual(self.of(tir.Schedule(never))[0][61], 0)

    def test_the_names_of_blocks(self):
        found = self.of(on_processor(), extract_workload=True)
        self.assertEqual(found.shape, (1, 172))
        self.assertEqual(list(found[0][164:]), [0] * 8)


class Places(unittest.TestCase):
    """Where buffers stand while a program is lowered."""

    def test_copies_for_a_sum_stand_inside_of_its_loop(self):
        sch = tir.Schedule(product)
        block = sch.get_block("C")
        i, j, k = sch.get_loops(block)
        sch.bind(i, "blockIdx.x")
        k_0, k_1 = sch.split(k, [None, 2])
        sch.reorder(i, k_0, j, k_1)
        sch.compute_at(sch.cache_read(block, 0, "shared"), k_0)
        mod = tir.transform.PlanAndUpdateBufferAllocationLocation()(sch.mod)
        lines = [line.strip() for line in mod.script().splitlines()]
        self.assertLess(lines.index("for k_0 in range(256):"), next(n for n, line in enumerate(lines) if "alloc_buffer" in line))

    def test_notes_of_bound_loops_stay_on_them(self):
        sch = on_gpu()
        mod = tir.transform.UnifyThreadBinding()(tir.transform.ConvertBlocksToOpaque()(tir.transform.LowerInitBlock()(sch.mod)))
        self.assertRegex(mod.script(), r'T.thread_binding\(8, thread="blockIdx.x", annotations=\{"pragma_auto_unroll_max_step"')



def unlike(sch):
    """By which numbers the engine, which lowers nothing, differs from the extractor; on integers TVM's counts those that lowering puts into indices."""
    import _loopscope

    slow = ms.feature_extractor.PerStoreFeature().extract_from(ms.TuneContext(target=tvm.target.Target("llvm")), [ms.MeasureCandidate(sch, [])])[0].numpy()
    fast = _loopscope.tune_per_store(sch.mod)
    if len(slow) != len(fast):
        return None, None
    found = [(row, i) for row, (a, b) in enumerate(zip(slow, fast)) for i in range(164) if not 7 <= i <= 13 and abs(a[i] - b[i]) > 0.01]
    return found, len(fast)


@unittest.skipUnless(tap.has_numpy(), "numpy is not installed")
class InTheEngine(unittest.TestCase):
    def test_as_it_is(self):
        self.assertEqual(unlike(tir.Schedule(product, debug_mask="all")), ([], 1))

    def test_scheduled(self):
        self.assertEqual(unlike(on_processor()), ([], 1))

    def test_a_tile_kept_apart(self):
        sch = tir.Schedule(product, debug_mask="all")
        block = sch.get_block("C")
        local = sch.cache_write(block, 0, "global")
        i, j, k = sch.get_loops(block)
        i_0, i_1 = sch.split(i, [None, 8])
        j_0, j_1 = sch.split(j, [None, 16])
        sch.reorder(i_0, j_0, k, i_1, j_1)
        sch.reverse_compute_at(local, j_0)
        sch.parallel(i_0)
        sch.vectorize(j_1)
        found, rows = unlike(sch)
        self.assertEqual(rows, 2)
        self.assertLess(len(found), 0.15 * rows * 157, found)


if __name__ == "__main__":
    tap.main()
