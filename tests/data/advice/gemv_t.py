from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((2048, 2048), "float32"), X: T.Buffer((2048,), "float32"), Y: T.Buffer((2048,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, k in T.grid(2048, 2048):
            with T.block("Y"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    Y[vi] = T.float32(0)
                Y[vi] = Y[vi] + A[vk, vi] * X[vk]
