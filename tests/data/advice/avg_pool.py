from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 64, 112, 112), "float32"), Y: T.Buffer((1, 64, 56, 56), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        P = T.alloc_buffer((1, 64, 56, 56))
        for n, c, y, x, r, s in T.grid(1, 64, 56, 56, 2, 2):
            with T.block("P"):
                vn, vc, vy, vx, vr, vs = T.axis.remap("SSSSRR", [n, c, y, x, r, s])
                with T.init():
                    P[vn, vc, vy, vx] = T.float32(0)
                P[vn, vc, vy, vx] = P[vn, vc, vy, vx] + X[vn, vc, vy * 2 + vr, vx * 2 + vs]
        for n, c, y, x in T.grid(1, 64, 56, 56):
            with T.block("Y"):
                vn, vc, vy, vx = T.axis.remap("SSSS", [n, c, y, x])
                Y[vn, vc, vy, vx] = P[vn, vc, vy, vx] * T.float32(0.25)
