from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 32, 28, 28), "float32"), W: T.Buffer((32, 16, 4, 4), "float32"), Y: T.Buffer((1, 16, 56, 56), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        D = T.alloc_buffer((1, 32, 59, 59))
        for n, c, y, x in T.grid(1, 32, 59, 59):
            with T.block("D"):
                vn, vc, vy, vx = T.axis.remap("SSSS", [n, c, y, x])
                D[vn, vc, vy, vx] = T.if_then_else(vy >= 2 and vy < 57 and vx >= 2 and vx < 57 and (vy - 2) % 2 == 0 and (vx - 2) % 2 == 0, X[vn, vc, (vy - 2) // 2, (vx - 2) // 2], T.float32(0))
        for n, o, y, x, c, r, s in T.grid(1, 16, 56, 56, 32, 4, 4):
            with T.block("Y"):
                vn, vo, vy, vx, vc, vr, vs = T.axis.remap("SSSSRRR", [n, o, y, x, c, r, s])
                with T.init():
                    Y[vn, vo, vy, vx] = T.float32(0)
                Y[vn, vo, vy, vx] = Y[vn, vo, vy, vx] + D[vn, vc, vy + vr, vx + vs] * W[vc, vo, 3 - vr, 3 - vs]
