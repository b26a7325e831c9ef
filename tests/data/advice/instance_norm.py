from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((32, 64, 256), "float32"), Y: T.Buffer((32, 64, 256), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        S = T.alloc_buffer((32, 64))
        Q = T.alloc_buffer((32, 64))
        for n, c, k in T.grid(32, 64, 256):
            with T.block("S"):
                vn, vc, vk = T.axis.remap("SSR", [n, c, k])
                with T.init():
                    S[vn, vc] = T.float32(0)
                S[vn, vc] = S[vn, vc] + X[vn, vc, vk]
        for n, c, k in T.grid(32, 64, 256):
            with T.block("Q"):
                vn, vc, vk = T.axis.remap("SSR", [n, c, k])
                with T.init():
                    Q[vn, vc] = T.float32(0)
                Q[vn, vc] = Q[vn, vc] + X[vn, vc, vk] * X[vn, vc, vk]
        for n, c, k in T.grid(32, 64, 256):
            with T.block("Y"):
                vn, vc, vk = T.axis.remap("SSS", [n, c, k])
                Y[vn, vc, vk] = (X[vn, vc, vk] - S[vn, vc] * T.float32(0.00390625)) * T.rsqrt(Q[vn, vc] * T.float32(0.00390625) - S[vn, vc] * S[vn, vc] * T.float32(1.52587890625e-05) + T.float32(1e-5))
