from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 48, 60, 60), "float32"), W: T.Buffer((48, 5, 5), "float32"), Y: T.Buffer((1, 48, 56, 56), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        D = T.alloc_buffer((1, 48, 56, 56))
        for n, c, y, x, r, s in T.grid(1, 48, 56, 56, 5, 5):
            with T.block("dw"):
                vn, vc, vy, vx, vr, vs = T.axis.remap("SSSSRR", [n, c, y, x, r, s])
                with T.init():
                    D[vn, vc, vy, vx] = T.float32(0)
                D[vn, vc, vy, vx] = D[vn, vc, vy, vx] + X[vn, vc, vy + vr, vx + vs] * W[vc, vr, vs]
        for n, c, y, x in T.grid(1, 48, 56, 56):
            with T.block("relu"):
                vn, vc, vy, vx = T.axis.remap("SSSS", [n, c, y, x])
                Y[vn, vc, vy, vx] = T.max(D[vn, vc, vy, vx], T.float32(0))
