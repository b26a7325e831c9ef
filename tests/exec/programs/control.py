# while, let, if: steps of the Collatz sequence.
#! A = 6 7 1 27
#! B == 8 16 0 111
from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    n = T.alloc_buffer((1,), "int32", scope="local")
    for i in range(4):
        n[0] = A[i]
        B[i] = 0
        while n[0] != 1:
            half: T.int32 = n[0] // 2
            if n[0] % 2 == 0:
                n[0] = half
            else:
                n[0] = n[0] * 3 + 1
            B[i] = B[i] + 1
