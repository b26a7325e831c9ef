from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((64, 114, 114), "float32"), Y: T.Buffer((64, 56, 56), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for c, i, j, r, s in T.grid(64, 56, 56, 3, 3):
            with T.block("Y"):
                vc, vi, vj, vr, vs = T.axis.remap("SSSRR", [c, i, j, r, s])
                with T.init():
                    Y[vc, vi, vj] = T.float32(-3.4e38)
                Y[vc, vi, vj] = T.max(Y[vc, vi, vj], X[vc, vi * 2 + vr, vj * 2 + vs])
