from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(K: T.Buffer((100000,), "int32"), H: T.Buffer((1024,), "int32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for b in range(1024):
            with T.block("Z"):
                vb = T.axis.spatial(1024, b)
                H[vb] = 0
        for i in range(100000):
            with T.block("H"):
                vi = T.axis.opaque(100000, i)
                H[K[vi]] = H[K[vi]] + 1
