# Extents bound by the arguments.
#! A = 1 2 3 4 5 6
#! A : 2 3
#! B == 10 20 30 40 50 60
#! B : 2 3
from tvm.script import tir as T


@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (n, m), "float32")
    for i, j in T.grid(n, m):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(10)
