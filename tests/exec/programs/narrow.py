# float16 and bfloat16 are rounded after each operation.
#! A = 1 2048 0.1 65504
#! H == 2 2048 1.099609375 65504
#! B == 2 2048 1.1015625 65536
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4,), "float32"), H: T.Buffer((4,), "float16"), B: T.Buffer((4,), "bfloat16")):
    for i in range(4):
        H[i] = T.Cast("float16", A[i]) + T.float16(1)
        B[i] = T.Cast("bfloat16", A[i]) + T.bfloat16(1)
