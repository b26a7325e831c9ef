from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle, b: T.handle, c: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(256)), "float32")
        B = T.match_buffer(b, (T.int64(256), T.int64(256)), "float32")
        C = T.match_buffer(c, (n, T.int64(256)), "float32")
        for i, j, k in T.grid(n, T.int64(256), T.int64(256)):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
