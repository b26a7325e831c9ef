from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((2048, 1024), "float32"), Y: T.Buffer((1024,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for j, k in T.grid(1024, 2048):
            with T.block("Y"):
                vj, vk = T.axis.remap("SR", [j, k])
                with T.init():
                    Y[vj] = T.float32(0)
                Y[vj] = Y[vj] + X[vk, vj]
