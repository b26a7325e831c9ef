from tvm.script import tir as T

@T.prim_func
def first(A: T.Buffer((8, 8), "flot32"), B: T.Buffer((8, 8), "float32")):
    for i, j, k in T.grid(8, 8):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    B[0] = 1.0
    B[0, 0] = T.flor(B[0, 1])

@T.prim_func
def second(A: T.Buffer((8, 8), "float32")
    A[0, 0] = 1.0

@T.prim_func
def third(A: T.Buffer((8, 8), "float32")):
    A[0, 0] = C[0, 0] + n
    A[0, 1] = 2.0
