from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 64, 1026), "float32"), W: T.Buffer((64, 64, 3), "float32"), Y: T.Buffer((1, 64, 1024), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for n, o, x, c, r in T.grid(1, 64, 1024, 64, 3):
            with T.block("Y"):
                vn, vo, vx, vc, vr = T.axis.remap("SSSRR", [n, o, x, c, r])
                with T.init():
                    Y[vn, vo, vx] = T.float32(0)
                Y[vn, vo, vx] = Y[vn, vo, vx] + X[vn, vc, vx + vr] * W[vo, vc, vr]
