from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((2048, 2048), "float32"), Y: T.Buffer((2048, 2048), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j in T.grid(2048, 2048):
            with T.block("transpose"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vj, vi]
