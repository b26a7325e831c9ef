"""Kernels of every kind for tests/python/thread_kernels.py, each with what numpy says it computes and what can be counted by hand.

A kernel's parameters are arrays; the last `outputs` of them are results.  `barriers` has a letter for each barrier of the lowered program: x when the
program races without it, . when each thread reads behind it only what it wrote itself."""
import numpy as np

HEAD = "from tvm.script import tir as T\n\n@T.prim_func\n"
ALL = []


class Kernel:
    def __init__(self, name, text, inputs, outputs, reference, barriers="", counts=None, tolerance=0.0, opencl=True, grid=None):
        self.name, self.text, self.inputs, self.outputs, self.reference = name, HEAD + text, inputs, outputs, reference
        self.barriers, self.counts, self.tolerance, self.opencl, self.grid = barriers, counts or {}, tolerance, opencl, grid
        ALL.append(self)


def floats(*shape, dtype="float32", seed=0):
    return (np.random.RandomState(len(shape) * 7 + seed).randint(-32, 33, shape) / 8).astype(dtype)


def ints(*shape, low=-50, high=50, dtype="int32", seed=0):
    return np.random.RandomState(seed + 1).randint(low, high, shape).astype(dtype)


# ---- grids and guards

Kernel("odd_2d", """def main(A: T.Buffer((37, 53), "float32"), B: T.Buffer((53, 37), "float32"), C: T.Buffer((37, 53), "float32")):
    T.func_attr({"tir.noalias": True})
    for by in T.thread_binding(5, thread="blockIdx.y"):
        for bx in T.thread_binding(4, thread="blockIdx.x"):
            for ty in T.thread_binding(8, thread="threadIdx.y"):
                for tx in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("C"):
                        T.where(by * 8 + ty < 37 and bx * 16 + tx < 53)
                        i = T.axis.spatial(37, by * 8 + ty)
                        j = T.axis.spatial(53, bx * 16 + tx)
                        C[i, j] = A[i, j] * T.float32(2) + B[j, i]
""", [floats(37, 53), floats(53, 37, seed=1)], [("float32", (37, 53))], lambda a, b: [a * 2 + b.T], grid=((4, 5, 1), (16, 8, 1)))

Kernel("block_3d", """def main(A: T.Buffer((9, 7, 11), "float32"), C: T.Buffer((11, 7, 9), "float32")):
    T.func_attr({"tir.noalias": True})
    for bz, by, bx in T.grid(1, 1, 1):
        for gz in T.thread_binding(3, thread="blockIdx.z"):
            for gy in T.thread_binding(3, thread="blockIdx.y"):
                for gx in T.thread_binding(3, thread="blockIdx.x"):
                    for tz in T.thread_binding(3, thread="threadIdx.z"):
                        for ty in T.thread_binding(3, thread="threadIdx.y"):
                            for tx in T.thread_binding(4, thread="threadIdx.x"):
                                with T.block("C"):
                                    T.where(gy * 3 + ty < 7 and gx * 4 + tx < 11)
                                    z = T.axis.spatial(9, gz * 3 + tz)
                                    y = T.axis.spatial(7, gy * 3 + ty)
                                    x = T.axis.spatial(11, gx * 4 + tx)
                                    C[x, y, z] = A[z, y, x] + T.Cast("float32", z * 100 + y * 10 + x)
""", [floats(9, 7, 11)], [("float32", (11, 7, 9))],
       lambda a: [(a + (np.arange(9)[:, None, None] * 100 + np.arange(7)[None, :, None] * 10 + np.arange(11)).astype("float32")).transpose(2, 1, 0)],
       grid=((3, 3, 3), (4, 3, 3)))

Kernel("two_kernels", """def main(A: T.Buffer((100,), "float32"), C: T.Buffer((100,), "float32")):
    T.func_attr({"tir.noalias": True})
    B = T.alloc_buffer((100,))
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("B"):
                T.where(b * 32 + t < 100)
                i = T.axis.spatial(100, b * 32 + t)
                B[i] = A[i] + T.float32(1)
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("C"):
                T.where(b * 64 + t < 100)
                i = T.axis.spatial(100, b * 64 + t)
                C[i] = B[99 - i] * T.float32(3)
""", [floats(100)], [("float32", (100,))], lambda a: [(a[::-1] + 1) * 3])

Kernel("symbolic", """def main(a: T.handle, c: T.handle):
    T.func_attr({"tir.noalias": True})
    n = T.int32()
    A = T.match_buffer(a, (n, 3), "float32")
    C = T.match_buffer(c, (n,), "float32")
    for b in T.thread_binding((n + 31) // 32, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("C"):
                T.where(b * 32 + t < n)
                i = T.axis.spatial(n, b * 32 + t)
                C[i] = A[i, 0] * A[i, 1] - A[i, 2]
""", [floats(77, 3)], [("float32", (77,))], lambda a: [a[:, 0] * a[:, 1] - a[:, 2]], opencl=False)

# ---- memory

Kernel("vector_loads", """def main(A: T.Buffer((1024,), "float32"), C: T.Buffer((1024,), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            for v in T.vectorized(4):
                with T.block("C"):
                    i = T.axis.spatial(1024, b * 256 + t * 4 + v)
                    C[i] = A[i] * T.float32(3) + T.float32(0.5)
""", [floats(1024)], [("float32", (1024,))], lambda a: [a * np.float32(3) + np.float32(0.5)],
       counts={"A": dict(requests=8, sectors=128, lines=32, bytes=4096), "C": dict(requests=8, sectors=128, lines=32, bytes=4096)})

Kernel("halo", """def main(A: T.Buffer((100,), "float32"), C: T.Buffer((100,), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((36,), scope="shared")
                L = T.alloc_buffer((1,), scope="local")
                for u in range(2):
                    if u * 32 + t < 36:
                        S[u * 32 + t] = T.if_then_else(2 <= b * 32 + u * 32 + t and b * 32 + u * 32 + t < 102, A[b * 32 + u * 32 + t - 2], T.float32(0))
                L[0] = T.float32(0)
                for w in range(5):
                    L[0] = L[0] + S[t + w]
                if b * 32 + t < 100:
                    C[b * 32 + t] = L[0]
""", [floats(100)], [("float32", (100,))], lambda a: [np.convolve(a, np.ones(5, "float32"), "same").astype("float32")], barriers="x", tolerance=1e-6)

Kernel("tile_transpose", """def main(A: T.Buffer((45, 70), "float32"), C: T.Buffer((70, 45), "float32")):
    T.func_attr({"tir.noalias": True})
    for by in T.thread_binding(3, thread="blockIdx.y"):
        for bx in T.thread_binding(5, thread="blockIdx.x"):
            for ty in T.thread_binding(16, thread="threadIdx.y"):
                for tx in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("tile"):
                        S = T.alloc_buffer((16, 17), scope="shared")
                        if by * 16 + ty < 45 and bx * 16 + tx < 70:
                            S[ty, tx] = A[by * 16 + ty, bx * 16 + tx]
                        if bx * 16 + ty < 70 and by * 16 + tx < 45:
                            C[bx * 16 + ty, by * 16 + tx] = S[tx, ty]
""", [floats(45, 70)], [("float32", (70, 45))], lambda a: [a.T], barriers="x",
       # CompactBufferAllocation takes the 17th column away, as TVM's does (storage_align keeps it): rows of 16 are written side by side, and a column
       # of 16 of them is read from two banks, 8 words of each
       counts={"S": dict(ways=[1, 8])})

Kernel("bank_stride", """def main(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((32, 32), scope="shared")
            for i in range(32):
                with T.block("S"):
                    S[i, t] = A[i, t]
            for i in range(32):
                with T.block("C"):
                    C[t, i] = S[t, i] + S[0, i]
""", [floats(32, 32)], [("float32", (32, 32))], lambda a: [a + a[0]], barriers="x",
       # rows of the warp side by side; columns 32 apart: 32 ways; one element for all: a broadcast; C by rows of 32 floats: a sector each
       counts={"A": dict(requests=32, sectors=32 * 4), "C": dict(requests=32, sectors=32 * 32, most=32),
               "S": dict(passes=[32, 32 * 32, 32], ways=[1, 32, 1])})

Kernel("shared_dynamic", """def main(A: T.Buffer((4, 64), "float32"), C: T.Buffer((4, 64), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((64,), scope="shared.dyn")
                R = T.alloc_buffer((64,), "int32", scope="shared.dyn")
                with T.block("S"):
                    S[t] = A[b, t]
                with T.block("R"):
                    R[t] = (t * 7 + 3) % 64
                with T.block("C"):
                    C[b, t] = S[R[63 - t]] + S[63 - t]
""", [floats(4, 64)], [("float32", (4, 64))], lambda a: [a[:, [((63 - t) * 7 + 3) % 64 for t in range(64)]] + a[:, ::-1]], barriers="x")

Kernel("double_buffer", """def main(A: T.Buffer((8, 64), "float32"), C: T.Buffer((64,), "float32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            S = T.alloc_buffer((2, 64), scope="shared")
            with T.block("zero"):
                C[t] = T.float32(0)
            with T.block("first"):
                S[0, t] = A[0, t]
            for k in range(7):
                with T.block("next"):
                    S[(k + 1) % 2, t] = A[k + 1, t]
                with T.block("sum"):
                    C[t] = C[t] + S[k % 2, 63 - t]
            with T.block("last"):
                C[t] = C[t] + S[1, 63 - t]
""", [floats(8, 64)], [("float32", (64,))], lambda a: [a.sum(0)[::-1]], barriers=None)

Kernel("local_sort", """def main(A: T.Buffer((32, 8), "int32"), C: T.Buffer((32, 8), "int32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((8,), "int32", scope="local")
            for i in range(8):
                L[i] = A[t, i]
            for i in range(8):
                for j in range(7):
                    if L[j] > L[j + 1]:
                        L[j] = T.bitwise_xor(L[j], L[j + 1])
                        L[j + 1] = T.bitwise_xor(L[j], L[j + 1])
                        L[j] = T.bitwise_xor(L[j], L[j + 1])
            for i in range(8):
                C[t, i] = L[i]
""", [ints(32, 8)], [("int32", (32, 8))], lambda a: [np.sort(a, 1)])

Kernel("warp_memory", """def main(A: T.Buffer((2, 64), "float32"), C: T.Buffer((2, 64), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                W = T.alloc_buffer((64,), "float32", scope="warp")
                for k in range(2):
                    with T.block("W"):
                        W[t * 2 + k] = A[b, t * 2 + k]
                for k in range(2):
                    with T.block("C"):
                        C[b, t * 2 + k] = W[63 - (t * 2 + k)] - W[(t * 2 + k + 2) % 64]
""", [floats(2, 64)], [("float32", (2, 64))], lambda a: [a[:, ::-1] - np.roll(a, -2, 1)], opencl=False)

# ---- what threads do together

Kernel("sum_of_two_axes", """def main(A: T.Buffer((5, 12, 20), "float32"), C: T.Buffer((5,), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(5, thread="blockIdx.x"):
        for ty in T.thread_binding(4, thread="threadIdx.y"):
            for tx in T.thread_binding(20, thread="threadIdx.x"):
                for u in range(3):
                    with T.block("C"):
                        i = T.axis.spatial(5, b)
                        k = T.axis.reduce(12, u * 4 + ty)
                        r = T.axis.reduce(20, tx)
                        with T.init():
                            C[i] = T.float32(0)
                        C[i] = C[i] + A[i, k, r]
""", [floats(5, 12, 20)], [("float32", (5,))], lambda a: [a.sum((1, 2))], barriers=None, tolerance=1e-6)

Kernel("sum_of_many_warps", """def main(A: T.Buffer((3, 500), "float32"), C: T.Buffer((3,), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for u in range(2):
            for t in T.thread_binding(256, thread="threadIdx.x"):
                with T.block("C"):
                    T.where(u * 256 + t < 500)
                    i = T.axis.spatial(3, b)
                    k = T.axis.reduce(500, u * 256 + t)
                    with T.init():
                        C[i] = T.float32(0)
                    C[i] = C[i] + A[i, k]
""", [floats(3, 500)], [("float32", (3,))], lambda a: [a.sum(1)], barriers=None, tolerance=1e-5)

Kernel("largest_of_half_warps", """def main(A: T.Buffer((6, 48), "int32"), C: T.Buffer((6,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for ty in T.thread_binding(2, thread="threadIdx.y"):
            for u in range(3):
                for t in T.thread_binding(16, thread="threadIdx.x"):
                    with T.block("C"):
                        i = T.axis.spatial(6, b * 2 + ty)
                        k = T.axis.reduce(48, u * 16 + t)
                        with T.init():
                            C[i] = T.min_value("int32")
                        C[i] = T.max(C[i], A[i, k])
""", [ints(6, 48)], [("int32", (6,))], lambda a: [a.max(1)], barriers=None)

Kernel("argmax", """def main(I: T.Buffer((4, 128), "int32"), A: T.Buffer((4, 128), "float32"), J: T.Buffer((4,), "int32"), V: T.Buffer((4,), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for u in range(2):
            for t in T.thread_binding(64, thread="threadIdx.x"):
                with T.block("argmax"):
                    i = T.axis.spatial(4, b)
                    k = T.axis.reduce(128, u * 64 + t)
                    with T.init():
                        J[i] = -1
                        V[i] = T.min_value("float32")
                    j: T.int32 = T.Select(V[i] >= A[i, k], J[i], I[i, k])
                    v: T.float32 = T.Select(V[i] >= A[i, k], V[i], A[i, k])
                    J[i] = j
                    V[i] = v
""", [np.tile(np.arange(128, dtype="int32"), (4, 1)), np.random.RandomState(3).permutation(512).reshape(4, 128).astype("float32")],
       [("int32", (4,)), ("float32", (4,))], lambda i, a: [a.argmax(1).astype("int32"), a.max(1)], barriers=None)

Kernel("scan_in_shared", """def main(A: T.Buffer((3, 64), "int32"), C: T.Buffer((3, 64), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((2, 64), "int32", scope="shared")
                with T.block("S"):
                    S[0, t] = A[b, t]
                for d in range(6):
                    with T.block("step"):
                        S[(d + 1) % 2, t] = S[d % 2, t] + T.if_then_else(t >= T.shift_left(1, d), S[d % 2, t - T.shift_left(1, d)], 0)
                with T.block("C"):
                    C[b, t] = S[0, t]
""", [ints(3, 64)], [("int32", (3, 64))], lambda a: [np.cumsum(a, 1).astype("int32")], barriers=None)

Kernel("scan_by_shuffles", """def main(A: T.Buffer((2, 32), "int32"), C: T.Buffer((2, 32), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                L = T.alloc_buffer((2,), "int32", scope="local")
                L[0] = A[b, t]
                for d in range(5):
                    L[1] = T.tvm_warp_shuffle_up(T.tvm_warp_activemask(), L[0], T.shift_left(1, d), 32, 32)
                    if t >= T.shift_left(1, d):
                        L[0] = L[0] + L[1]
                C[b, t] = L[0]
""", [ints(2, 32)], [("int32", (2, 32))], lambda a: [np.cumsum(a, 1).astype("int32")], opencl=False)

Kernel("butterfly", """def main(A: T.Buffer((2, 64), "float32"), C: T.Buffer((2, 64), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                L = T.alloc_buffer((1,), scope="local")
                L[0] = A[b, t]
                for d in range(3):
                    L[0] = L[0] + T.tvm_warp_shuffle(T.uint32(0xffffffff), L[0], T.bitwise_xor(t % 8, T.shift_left(1, d)), 8, 32)
                C[b, t] = L[0]
""", [floats(2, 64)], [("float32", (2, 64))], lambda a: [np.repeat(a.reshape(2, 8, 8).sum(2), 8, 1)], opencl=False)

Kernel("histogram", """def main(A: T.Buffer((300,), "int32"), H: T.Buffer((16,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(5, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                if b * 64 + t < 300:
                    T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(H[T.bitwise_and(A[b * 64 + t], 15)]), 1))
""", [ints(300, low=0, high=1000)], [("int32", (16,))], lambda a: [np.bincount(a & 15, minlength=16).astype("int32")])

Kernel("histogram_in_shared", """def main(A: T.Buffer((300,), "int32"), H: T.Buffer((16,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(5, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((16,), "int32", scope="shared")
                if t < 16:
                    S[t] = 0
                T.tvm_storage_sync("shared")
                if b * 64 + t < 300:
                    T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(S[T.bitwise_and(A[b * 64 + t], 15)]), 1))
                T.tvm_storage_sync("shared")
                if t < 16:
                    T.evaluate(T.call_extern("int32", "atomicAdd", T.address_of(H[t]), S[t]))
""", [ints(300, low=0, high=1000)], [("int32", (16,))], lambda a: [np.bincount(a & 15, minlength=16).astype("int32")], barriers="xx")

# ---- control

Kernel("collatz", """def main(A: T.Buffer((96,), "int32"), C: T.Buffer((96,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                L = T.alloc_buffer((2,), "int32", scope="local")
                L[0] = A[b * 32 + t]
                L[1] = 0
                while L[0] != 1:
                    if L[0] % 2 == 0:
                        L[0] = L[0] // 2
                    else:
                        L[0] = L[0] * 3 + 1
                    L[1] = L[1] + 1
                C[b * 32 + t] = L[1]
""", [np.arange(1, 97, dtype="int32")], [("int32", (96,))], lambda a: [np.array([collatz(int(x)) for x in a], "int32")])

Kernel("binary_search", """def main(S: T.Buffer((50,), "int32"), A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((2,), "int32", scope="local")
            L[0] = 0
            L[1] = 50
            while L[0] < L[1]:
                if S[T.shift_right(L[0] + L[1], 1)] < A[t]:
                    L[0] = T.shift_right(L[0] + L[1], 1) + 1
                else:
                    L[1] = T.shift_right(L[0] + L[1], 1)
            C[t] = L[0]
""", [np.sort(ints(50)), ints(64, seed=4)], [("int32", (64,))], lambda s, a: [np.searchsorted(s, a).astype("int32")])

Kernel("while_with_barrier", """def main(A: T.Buffer((2, 64), "int32"), C: T.Buffer((2, 64), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((64,), "int32", scope="shared")
                L = T.alloc_buffer((1,), "int32", scope="local")
                S[t] = A[b, t]
                L[0] = 32
                T.tvm_storage_sync("shared")
                while L[0] > 0:
                    if t < L[0]:
                        S[t] = S[t] + S[t + L[0]]
                    L[0] = L[0] // 2
                    T.tvm_storage_sync("shared")
                C[b, t] = S[0] + t
""", [ints(2, 64)], [("int32", (2, 64))], lambda a: [(a.sum(1)[:, None] + np.arange(64)).astype("int32")], barriers="xx")

Kernel("nested_branches", """def main(A: T.Buffer((100,), "int32"), C: T.Buffer((100,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("all"):
                if b * 64 + t < 100:
                    if A[b * 64 + t] > 0:
                        if A[b * 64 + t] % 3 == 0:
                            C[b * 64 + t] = A[b * 64 + t] // 3
                        else:
                            C[b * 64 + t] = -A[b * 64 + t]
                    else:
                        for k in range(T.bitwise_and(t, 3) + 1):
                            C[b * 64 + t] = A[b * 64 + t] - k
""", [ints(100)], [("int32", (100,))], lambda a: [np.array([x // 3 if x > 0 and x % 3 == 0 else -x if x > 0 else x - ((i % 64) & 3) for i, x in enumerate(a)], "int32")])

# ---- types

Kernel("half", """def main(A: T.Buffer((64, 33), "float16"), C: T.Buffer((64,), "float16")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((1,), "float32", scope="local")
            L[0] = T.float32(0)
            for k in range(33):
                L[0] = L[0] + T.Cast("float32", A[t, k])
            C[t] = T.Cast("float16", L[0]) * T.float16(0.5)
""", [floats(64, 33, dtype="float16")], [("float16", (64,))], lambda a: [a.astype("float32").sum(1).astype("float16") * np.float16(0.5)], opencl=False)

Kernel("int8_dot", """def main(A: T.Buffer((48, 20), "int8"), B: T.Buffer((20,), "uint8"), C: T.Buffer((48,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(3, thread="blockIdx.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            for k in range(20):
                with T.block("C"):
                    i = T.axis.spatial(48, b * 16 + t)
                    r = T.axis.reduce(20, k)
                    with T.init():
                        C[i] = 0
                    C[i] = C[i] + T.Cast("int32", A[i, r]) * T.Cast("int32", B[r])
""", [ints(48, 20, low=-128, high=128, dtype="int8"), ints(20, low=0, high=256, dtype="uint8")], [("int32", (48,))],
       lambda a, b: [a.astype("int32") @ b.astype("int32")])

Kernel("random_bits", """def main(A: T.Buffer((64,), "uint32"), C: T.Buffer((64,), "uint32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((1,), "uint32", scope="local")
            L[0] = A[t]
            for k in range(5):
                L[0] = T.bitwise_xor(L[0], T.shift_left(L[0], T.uint32(13)))
                L[0] = T.bitwise_xor(L[0], T.shift_right(L[0], T.uint32(17)))
                L[0] = T.bitwise_xor(L[0], T.shift_left(L[0], T.uint32(5)))
            C[t] = L[0]
""", [np.arange(1, 65, dtype="uint32") * np.uint32(2654435761)], [("uint32", (64,))], lambda a: [xorshift(a)])

Kernel("doubles", """def main(A: T.Buffer((40,), "float64"), C: T.Buffer((40,), "float64"), D: T.Buffer((40,), "int64")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                if b * 32 + t < 40:
                    C[b * 32 + t] = T.sqrt(T.fabs(A[b * 32 + t])) + T.floor(A[b * 32 + t])
                    D[b * 32 + t] = T.Cast("int64", A[b * 32 + t] * T.float64(1e10)) // T.int64(3)
""", [floats(40, dtype="float64")], [("float64", (40,)), ("int64", (40,))],
       lambda a: [np.sqrt(np.abs(a)) + np.floor(a), (a * 1e10).astype("int64") // 3], tolerance=1e-14)

Kernel("brain_floats", """def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((2,), "bfloat16", scope="local")
            L[0] = T.Cast("bfloat16", A[t])
            L[1] = L[0] * T.Cast("bfloat16", B[t])
            C[t] = T.Cast("float32", L[1] + L[0])
""", [floats(64), floats(64, seed=2)], [("float32", (64,))], lambda a, b: [brain(brain(brain(a) * brain(b)) + brain(a))], opencl=False)

Kernel("eight_bits", """def main(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("all"):
            L = T.alloc_buffer((1,), "float8_e4m3fn", scope="local")
            M = T.alloc_buffer((1,), "float8_e5m2", scope="local")
            L[0] = T.Cast("float8_e4m3fn", A[t])
            M[0] = T.Cast("float8_e5m2", A[t])
            C[t] = T.Cast("float32", L[0])
            D[t] = T.Cast("float32", M[0])
""", [np.linspace(-13, 15, 64, dtype="float32")], [("float32", (64,))] * 2, lambda a: [eighth(a, 3, -6), eighth(a, 2, -14)], opencl=False)

# ---- larger ones

Kernel("odd_product", """def main(A: T.Buffer((33, 29), "float32"), B: T.Buffer((29, 45), "float32"), C: T.Buffer((33, 45), "float32")):
    T.func_attr({"tir.noalias": True})
    for by in T.thread_binding(5, thread="blockIdx.y"):
        for bx in T.thread_binding(6, thread="blockIdx.x"):
            for ty in T.thread_binding(8, thread="threadIdx.y"):
                for tx in T.thread_binding(8, thread="threadIdx.x"):
                    with T.block("all"):
                        SA = T.alloc_buffer((8, 8), scope="shared")
                        SB = T.alloc_buffer((8, 8), scope="shared")
                        L = T.alloc_buffer((1,), scope="local")
                        L[0] = T.float32(0)
                        for k in range(4):
                            SA[ty, tx] = T.if_then_else(by * 8 + ty < 33 and k * 8 + tx < 29, A[by * 8 + ty, k * 8 + tx], T.float32(0))
                            SB[ty, tx] = T.if_then_else(k * 8 + ty < 29 and bx * 8 + tx < 45, B[k * 8 + ty, bx * 8 + tx], T.float32(0))
                            T.tvm_storage_sync("shared")
                            for r in range(8):
                                L[0] = L[0] + SA[ty, r] * SB[r, tx]
                            T.tvm_storage_sync("shared")
                        if by * 8 + ty < 33 and bx * 8 + tx < 45:
                            C[by * 8 + ty, bx * 8 + tx] = L[0]
""", [floats(33, 29), floats(29, 45, seed=1)], [("float32", (33, 45))], lambda a, b: [a @ b], barriers="xx", tolerance=1e-5)

Kernel("convolution", """def main(X: T.Buffer((3, 11, 13), "float32"), W: T.Buffer((4, 3, 3, 3), "float32"), C: T.Buffer((4, 11, 13), "float32")):
    T.func_attr({"tir.noalias": True})
    for o in T.thread_binding(4, thread="blockIdx.x"):
        for ty in T.thread_binding(11, thread="threadIdx.y"):
            for tx in T.thread_binding(13, thread="threadIdx.x"):
                for c, dy, dx in T.grid(3, 3, 3):
                    with T.block("C"):
                        vo, y, x = T.axis.remap("SSS", [o, ty, tx])
                        rc, ry, rx = T.axis.remap("RRR", [c, dy, dx])
                        with T.init():
                            C[vo, y, x] = T.float32(0)
                        C[vo, y, x] = C[vo, y, x] + T.if_then_else(1 <= y + ry and y + ry < 12 and 1 <= x + rx and x + rx < 14, X[rc, y + ry - 1, x + rx - 1], T.float32(0)) * W[vo, rc, ry, rx]
""", [floats(3, 11, 13), floats(4, 3, 3, 3)], [("float32", (4, 11, 13))], lambda x, w: [convolution(x, w)], tolerance=1e-5)

Kernel("norm_of_rows", """def main(X: T.Buffer((5, 96), "float32"), Y: T.Buffer((5, 96), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(5, thread="blockIdx.x"):
        for t in T.thread_binding(96, thread="threadIdx.x"):
            with T.block("all"):
                S = T.alloc_buffer((96,), scope="shared")
                Q = T.alloc_buffer((96,), scope="shared")
                S[t] = X[b, t]
                Q[t] = X[b, t] * X[b, t]
                T.tvm_storage_sync("shared")
                if t < 32:
                    S[t] = S[t] + S[t + 32] + S[t + 64]
                    Q[t] = Q[t] + Q[t + 32] + Q[t + 64]
                T.tvm_storage_sync("shared")
                for d in range(5):
                    if t < T.shift_right(16, d):
                        S[t] = S[t] + S[t + T.shift_right(16, d)]
                        Q[t] = Q[t] + Q[t + T.shift_right(16, d)]
                    T.tvm_storage_sync("shared")
                Y[b, t] = (X[b, t] - S[0] / T.float32(96)) * T.rsqrt(Q[0] / T.float32(96) - S[0] / T.float32(96) * (S[0] / T.float32(96)) + T.float32(1e-5))
""", [floats(5, 96)], [("float32", (5, 96))], lambda x: [(x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)], barriers="xxx", tolerance=1e-4)


Kernel("tensor_cores", """def main(A: T.Buffer((32, 48), "float16"), B: T.Buffer((48, 16), "float16"), C: T.Buffer((32, 16), "float32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                FA = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_a")
                FB = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_b")
                FC = T.alloc_buffer((16, 16), "float32", scope="wmma.accumulator")
                T.tvm_fill_fragment(FC.data, 16, 16, 16, 0, T.float32(0))
                for k in range(3):
                    T.tvm_load_matrix_sync(FA.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, b * 768 + k * 16, 768, 1), 48, "row_major")
                    T.tvm_load_matrix_sync(FB.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), B.data, k * 256, 256, 1), 16, "row_major")
                    T.tvm_mma_sync(FC.data, 0, FA.data, 0, FB.data, 0, FC.data, 0)
                T.tvm_store_matrix_sync(FC.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, b * 256, 256, 2), 16, "row_major")
""", [floats(32, 48, dtype="float16"), floats(48, 16, dtype="float16", seed=3)], [("float32", (32, 16))],
       lambda a, b: [a.astype("float32") @ b.astype("float32")], opencl=False, tolerance=1e-6)

Kernel("mma_m16n8k8", """def main(A: T.Buffer((16, 8), "float16"), B: T.Buffer((8, 8), "float16"), C: T.Buffer((16, 8), "float32")):
    T.func_attr({"tir.noalias": True})
    for t in T.thread_binding(32, thread="threadIdx.x"):
        with T.block("all"):
            RA = T.alloc_buffer((4,), "float16", scope="local")
            RB = T.alloc_buffer((2,), "float16", scope="local")
            RC = T.alloc_buffer((4,), "float32", scope="local")
            for i in range(4):
                RA[i] = A[t // 4 + i // 2 * 8, t % 4 * 2 + i % 2]
                RC[i] = T.float32(1)
            for i in range(2):
                RB[i] = B[t % 4 * 2 + i, t // 4]
            T.evaluate(T.ptx_mma("float32", "m16n8k8", "row", "col", "fp16", "fp16", "fp32", RA.data, 0, RB.data, 0, RC.data, 0, False))
            for i in range(4):
                C[t // 4 + i // 2 * 8, t % 4 * 2 + i % 2] = RC[i]
""", [floats(16, 8, dtype="float16"), floats(8, 8, dtype="float16", seed=3)], [("float32", (16, 8))],
       lambda a, b: [a.astype("float32") @ b.astype("float32") + 1], opencl=False, tolerance=1e-6)


Kernel("mma_matrix_c", """def main(A: T.Buffer((32, 8), "float16"), B: T.Buffer((8, 16), "float16"), C: T.Buffer((64, 16), "float32")):
    T.func_attr({"tir.noalias": True})
    for y in T.thread_binding(2, thread="threadIdx.y"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("all"):
                T.reads(A[0:32, 0:8], B[0:8, 0:16])
                T.writes(C[0:64, 0:16])
                RA = T.alloc_buffer((4,), "float16", scope="local")
                RB = T.alloc_buffer((2,), "float16", scope="local")
                RC = T.alloc_buffer((32, 16), "float32", scope="m16n8k8.matrixC")
                for m, n in T.grid(2, 2):
                    with T.block("multiply"):
                        T.reads(A[m * 16:m * 16 + 16, 0:8], B[0:8, n * 8:n * 8 + 8])
                        T.writes(RC[m * 16:m * 16 + 16, n * 8:n * 8 + 8])
                        for i in range(4):
                            RA[i] = A[m * 16 + t // 4 + i // 2 * 8, t % 4 * 2 + i % 2]
                            RC[m * 16 + t // 4 + i // 2 * 8, n * 8 + t % 4 * 2 + i % 2] = T.Cast("float32", y)
                        for i in range(2):
                            RB[i] = B[t % 4 * 2 + i, n * 8 + t // 4]
                        T.evaluate(T.ptx_mma("float32", "m16n8k8", "row", "col", "fp16", "fp16", "fp32", RA.data, 0, RB.data, 0, RC.data, (m * 2 + n) * 4, False))
                with T.block("c"):
                    T.reads(RC[0:32, 0:16])
                    T.writes(C[y * 32:y * 32 + 32, 0:16])
                    T.block_attr({"auto_copy": True, "vector_bytes": 16})
                    for i, j in T.grid(32, 16):
                        C[y * 32 + i, j] = RC[i, j]
""", [floats(32, 8, dtype="float16"), floats(8, 16, dtype="float16", seed=3)], [("float32", (64, 16))],
       lambda a, b: [np.concatenate([a.astype("float32") @ b.astype("float32") + y for y in (0, 1)])], barriers="xx", opencl=False, tolerance=1e-6)


def collatz(x):
    n = 0
    while x != 1:
        x, n = (x // 2 if x % 2 == 0 else x * 3 + 1), n + 1
    return n


def brain(a):
    bits = a.astype("float32").view("uint32")
    return ((bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000).astype("uint32").view("float32")


def eighth(a, mantissa, least):
    """Rounded to so many bits behind the point, ties to even; no overflow here."""
    unit = np.exp2(np.maximum(np.floor(np.log2(np.abs(a))), least) - mantissa)
    return (np.round(a / unit) * unit).astype("float32")


def xorshift(a):
    for _ in range(5):
        a = a ^ (a << np.uint32(13))
        a = a ^ (a >> np.uint32(17))
        a = a ^ (a << np.uint32(5))
    return a


def convolution(x, w):
    padded, c = np.pad(x, ((0, 0), (1, 1), (1, 1))), np.zeros((4, 11, 13), "float32")
    for dy in range(3):
        for dx in range(3):
            c += np.einsum("cyx,oc->oyx", padded[:, dy:dy + 11, dx:dx + 13], w[:, :, dy, dx])
    return c
