from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((8, 32, 4, 256), "float32"), Y: T.Buffer((8, 32, 4, 256), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((8, 32))
        Q = T.alloc_buffer((8, 32))
        for n, g, c, x in T.grid(8, 32, 4, 256):
            with T.block("sum"):
                vn, vg, vc, vx = T.axis.remap("SSRR", [n, g, c, x])
                with T.init():
                    S[vn, vg] = T.float32(0)
                S[vn, vg] = S[vn, vg] + X[vn, vg, vc, vx]
        for n, g, c, x in T.grid(8, 32, 4, 256):
            with T.block("squares"):
                vn, vg, vc, vx = T.axis.remap("SSRR", [n, g, c, x])
                with T.init():
                    Q[vn, vg] = T.float32(0)
                Q[vn, vg] = Q[vn, vg] + X[vn, vg, vc, vx] * X[vn, vg, vc, vx]
        for n, g, c, x in T.grid(8, 32, 4, 256):
            with T.block("norm"):
                vn, vg, vc, vx = T.axis.remap("SSSS", [n, g, c, x])
                Y[vn, vg, vc, vx] = (X[vn, vg, vc, vx] - S[vn, vg] * T.float32(0.0009765625)) * T.rsqrt(Q[vn, vg] * T.float32(0.0009765625) - S[vn, vg] * S[vn, vg] * T.float32(9.5367e-07) + T.float32(1e-5))
