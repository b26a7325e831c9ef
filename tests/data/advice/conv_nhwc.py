from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 30, 30, 64), "float32"), W: T.Buffer((3, 3, 64, 64), "float32"), Y: T.Buffer((1, 28, 28, 64), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for n, y, x, o, r, s, c in T.grid(1, 28, 28, 64, 3, 3, 64):
            with T.block("Y"):
                vn, vy, vx, vo, vr, vs, vc = T.axis.remap("SSSSRRR", [n, y, x, o, r, s, c])
                with T.init():
                    Y[vn, vy, vx, vo] = T.float32(0)
                Y[vn, vy, vx, vo] = Y[vn, vy, vx, vo] + X[vn, vy + vr, vx + vs, vc] * W[vr, vs, vc, vo]
