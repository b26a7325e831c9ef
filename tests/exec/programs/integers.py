# Division, shifts and wrapping of every sign.
#! A = -7 7 -8 2147483647
#! B = 2 -2 3 -1
#! Q == -4 -4 -3 -2147483647
#! R == 1 -1 1 0
#! D == -3 -3 -2 -2147483647
#! M == -1 1 -2 0
#! S == -4 3 -4 1073741823
#! W == -14 14 -16 -2
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), Q: T.Buffer((4,), "int32"), R: T.Buffer((4,), "int32"),
         D: T.Buffer((4,), "int32"), M: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), W: T.Buffer((4,), "int32")):
    for i in range(4):
        Q[i] = A[i] // B[i]
        R[i] = A[i] % B[i]
        D[i] = T.truncdiv(A[i], B[i])
        M[i] = T.truncmod(A[i], B[i])
        S[i] = T.shift_right(A[i], 1)
        W[i] = A[i] + A[i]
