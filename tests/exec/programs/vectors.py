# Ramps with strides 1, 2 and -1, a broadcast, a choice whose sides must not both be read.
#! A = 0 1 2 3 4 5 6 7
#! B == 7 6 5 4 0 2 4 6
#! C == 0 10 20 30 3 3 3 3
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    B[0:4] = A[T.Ramp(7, -1, 4)]
    B[T.Ramp(4, 1, 4)] = A[T.Ramp(0, 2, 4)]
    C[0:4] = A[0:4] * T.Broadcast(T.float32(10), 4)
    C[4:8] = T.Broadcast(A[3], 4)
