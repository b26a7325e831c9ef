from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((514, 514), "float32"), B: T.Buffer((512, 512), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j in T.grid(512, 512):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = (A[vi + 1, vj + 1] + A[vi, vj + 1] + A[vi + 2, vj + 1] + A[vi + 1, vj] + A[vi + 1, vj + 2]) * T.float32(0.2)
