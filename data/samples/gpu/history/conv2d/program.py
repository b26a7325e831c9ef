from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((16, 32, 32), "float32"), W: T.Buffer((16, 16, 3, 3), "float32"), Y: T.Buffer((16, 32, 32), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        P = T.alloc_buffer((16, 34, 34))
        for c, h, w in T.grid(16, 34, 34):
            with T.block("pad"):
                vc, vh, vw = T.axis.remap("SSS", [c, h, w])
                P[vc, vh, vw] = T.if_then_else(1 <= vh and vh < 33 and 1 <= vw and vw < 33, X[vc, vh - 1, vw - 1], T.float32(0))
        for f, y, x, c, r, s in T.grid(16, 32, 32, 16, 3, 3):
            with T.block("conv"):
                vf, vy, vx, vc, vr, vs = T.axis.remap("SSSRRR", [f, y, x, c, r, s])
                with T.init():
                    Y[vf, vy, vx] = T.float32(0)
                Y[vf, vy, vx] = Y[vf, vy, vx] + P[vc, vy + vr, vx + vs] * W[vf, vc, vr, vs]
