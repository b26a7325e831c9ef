from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1048576,), "float32"), S: T.Buffer((1,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, k in T.grid(1, 1048576):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + X[vk]
