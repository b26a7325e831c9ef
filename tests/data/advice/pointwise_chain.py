from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1024, 2048), "float32"), Y: T.Buffer((1024, 2048), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        A = T.alloc_buffer((1024, 2048))
        B = T.alloc_buffer((1024, 2048))
        C = T.alloc_buffer((1024, 2048))
        for i, j in T.grid(1024, 2048):
            with T.block("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = X[vi, vj] * T.float32(2) + T.float32(1)
        for i, j in T.grid(1024, 2048):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], T.float32(0))
        for i, j in T.grid(1024, 2048):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] * B[vi, vj]
        for i, j in T.grid(1024, 2048):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = C[vi, vj] - X[vi, vj]
