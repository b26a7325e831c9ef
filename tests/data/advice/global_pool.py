from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 256, 14, 14), "float32"), Y: T.Buffer((1, 256), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((1, 256))
        for n, c, y, x in T.grid(1, 256, 14, 14):
            with T.block("S"):
                vn, vc, vy, vx = T.axis.remap("SSRR", [n, c, y, x])
                with T.init():
                    S[vn, vc] = T.float32(0)
                S[vn, vc] = S[vn, vc] + X[vn, vc, vy, vx]
        for n, c in T.grid(1, 256):
            with T.block("Y"):
                vn, vc = T.axis.remap("SS", [n, c])
                Y[vn, vc] = S[vn, vc] / T.float32(196)
