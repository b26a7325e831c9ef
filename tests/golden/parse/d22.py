import tvm
from tvm.script import tir as T
from __future__ import annotations

@tvm.script.ir_module
class MyModule:
    @T.prim_func
    def linear0(
        X: T.Buffer[(1, 784), "float32"],
        W: T.Buffer[(128, 784), "float32"],
        B: T.Buffer[(128,), "float32"],
        Z: T.Buffer[(1, 128), "float32"],
    ):
        T.func_attr({"global_symbol": "linear0", "tir.noalias": True})
        Y = T.alloc_buffer((1, 128), "float32")
        for i, j, k in T.grid(1, 128, 784):
            with T.block("Y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    Y[vi, vj] = T.float32(0)
                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * W[vj, vk]

        for i, j in T.grid(1, 128):
            with T.block("Z"):
                vi, vj = T.axis.remap("SS", [i, j])
                Z[vi, vj] = Y[vi, vj] + B[vj]

    @T.prim_func
    def symbolic(x: T.handle, y: T.handle):
        n = T.var("int32")
        m, k = T.int64(), T.int32()
        X = T.match_buffer(x, (n, k), "float32")
        Y = T.match_buffer(y, (m,), dtype="float16")
        for i in T.serial(m):
            Y[i] = Y[i] + 1
