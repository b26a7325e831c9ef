from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((4, 16, 30, 30), "float32"), W: T.Buffer((4, 16, 16, 3, 3), "float32"), Y: T.Buffer((4, 16, 28, 28), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for g, f, y, x, c, r, s in T.grid(4, 16, 28, 28, 16, 3, 3):
            with T.block("Y"):
                vg, vf, vy, vx, vc, vr, vs = T.axis.remap("SSSSRRR", [g, f, y, x, c, r, s])
                with T.init():
                    Y[vg, vf, vy, vx] = T.float32(0)
                Y[vg, vf, vy, vx] = Y[vg, vf, vy, vx] + X[vg, vc, vy + vr, vx + vs] * W[vg, vf, vc, vr, vs]
