# Truncated, saturated, wrapped.
#! A = 1.9 -1.9 300 -1e20
#! C == 1 -1 127 -128
#! U == 1 0 255 0
#! L == 1 -1 300 -9223372036854775808
#! Z == 1 1 1 1
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "int8"), U: T.Buffer((4,), "uint8"), L: T.Buffer((4,), "int64"), Z: T.Buffer((4,), "bool")):
    for i in range(4):
        C[i] = T.Cast("int8", A[i])
        U[i] = T.Cast("uint8", A[i])
        L[i] = T.Cast("int64", A[i])
        Z[i] = T.Cast("bool", A[i])
