# A reduction with its initialisation, a predicate and a buffer of its own.
#! A = 1 2 3 4 5 6 7 8 9 10
#! B == 15 40
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((2, 5), "float32"), B: T.Buffer((2,), "float32")):
    S = T.alloc_buffer((2,))
    for i, k_0, k_1 in T.grid(2, 2, 3):
        with T.block("S"):
            vi = T.axis.spatial(2, i)
            vk = T.axis.reduce(5, k_0 * 3 + k_1)
            T.where(k_0 * 3 + k_1 < 5)
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i in range(2):
        with T.block("B"):
            vi = T.axis.spatial(2, i)
            B[vi] = S[vi]
