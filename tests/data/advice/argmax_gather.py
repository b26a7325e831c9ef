from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((512, 256), "float32"), Y: T.Buffer((512,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        V = T.alloc_buffer((512,))
        N = T.alloc_buffer((512,), "int32")
        for i, k in T.grid(512, 256):
            with T.block("N"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    N[vi] = -1
                    V[vi] = T.float32(-3.4e38)
                n: T.int32 = T.Select(V[vi] >= X[vi, vk], N[vi], vk)
                v: T.float32 = T.Select(V[vi] >= X[vi, vk], V[vi], X[vi, vk])
                N[vi] = n
                V[vi] = v
        for i in range(512):
            with T.block("Y"):
                vi = T.axis.spatial(512, i)
                Y[vi] = X[vi, N[vi]]
