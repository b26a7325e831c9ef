from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 34, 34, 64), "float32"), W: T.Buffer((3, 3, 64), "float32"), Y: T.Buffer((1, 32, 32, 64), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for n, y, x, c, r, s in T.grid(1, 32, 32, 64, 3, 3):
            with T.block("dw"):
                vn, vy, vx, vc, vr, vs = T.axis.remap("SSSSRR", [n, y, x, c, r, s])
                with T.init():
                    Y[vn, vy, vx, vc] = T.float32(0)
                Y[vn, vy, vx, vc] = Y[vn, vy, vx, vc] + X[vn, vy + vr, vx + vs, vc] * W[vr, vs, vc]
