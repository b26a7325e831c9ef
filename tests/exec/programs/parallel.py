# Each task sees the scratch memory and the numbers around the loop.
#! A = 1 2 3 4 5 6 7 8
#! B == 12 14 16 18 20 22 24 26
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    T.func_attr({"tir.noalias": True})
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("C"):
            v = T.axis.spatial(8, i)
            C[v] = A[v] + 5
    for i in T.parallel(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            B[v] = C[v] * 2
