from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((192, 192), "float64"), B: T.Buffer((192, 192), "float64"), C: T.Buffer((192, 192), "float64")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j, k in T.grid(192, 192, 192):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float64(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
