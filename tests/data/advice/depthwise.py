from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 64, 58, 58), "float32"), W: T.Buffer((64, 3, 3), "float32"), Y: T.Buffer((1, 64, 56, 56), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for n, c, y, x, r, s in T.grid(1, 64, 56, 56, 3, 3):
            with T.block("depthwise"):
                vn, vc, vy, vx, vr, vs = T.axis.remap("SSSSRR", [n, c, y, x, r, s])
                with T.init():
                    Y[vn, vc, vy, vx] = T.float32(0)
                Y[vn, vc, vy, vx] = Y[vn, vc, vy, vx] + X[vn, vc, vy + vr, vx + vs] * W[vc, vr, vs]
