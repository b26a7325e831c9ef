# if_then_else and "and" keep from reading outside.
#! A = 1 2 3
#! B == 0 1 2 3 0
#! C == 0 1 0 0 0
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((5,), "float32"), C: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = T.if_then_else(1 <= i and i < 4, A[i - 1], T.float32(0))
        if 1 <= i and i < 4 and A[i - 1] < T.float32(2):
            C[i] = 1
