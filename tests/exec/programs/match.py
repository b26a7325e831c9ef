# A window with strides and an offset of its own.
#! A = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
#! B == 0 0 0 0 0 25 26 0 0 29 30 0 0 0 0 0
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("root"):
        with T.block("window"):
            T.reads(A[1:3, 1:3])
            T.writes(B[1:3, 1:3])
            s0 = T.int32()
            s1 = T.int32()
            V = T.match_buffer(A[1:3, 1:3], (2, 2), "int32", strides=(s0, 1), offset_factor=1)
            W = T.match_buffer(B[1:3, 1:3], (2, 2), "int32", strides=(s1, 1), offset_factor=1)
            for i, j in T.grid(2, 2):
                W[i, j] = V[i, j] + 20
