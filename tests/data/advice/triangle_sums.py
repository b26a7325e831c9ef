from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((256, 256), "float32"), Y: T.Buffer((256,), "float32"), X: T.Buffer((256,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i in range(256):
            Y[i] = T.float32(0)
            for j in range(i + 1):
                Y[i] = Y[i] + A[i, j] * X[j]
