from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(E: T.Buffer((20000, 128), "float32"), K: T.Buffer((4096,), "int32"), Y: T.Buffer((4096, 128), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j in T.grid(4096, 128):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = E[K[vi], vj]
