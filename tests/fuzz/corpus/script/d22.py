import tvm
from tvm.script import tir as T
from __future__ import annotations

@tvm.script.ir_module
class Late:
    @T.prim_func
    def prefix(
        V: T.Buffer[(7, 30), "float32"],
        W: T.Buffer[(30,), "float32"],
        S: T.Buffer[(7, 30), "float32"],
    ):
        T.func_attr({"global_symbol": "prefix", "tir.noalias": True})
        H = T.alloc_buffer((7, 30), "float32")
        for a, b in T.grid(7, 30):
            with T.block("H"):
                va, vb = T.axis.remap("SS", [a, b])
                H[va, vb] = V[va, vb] * W[vb]

        for a, b in T.grid(7, 30):
            with T.block("S"):
                va, vb = T.axis.remap("SS", [a, b])
                S[va, vb] = T.if_then_else(vb > 0, H[va, vb - 1], T.float32(0)) + H[va, vb]

    @T.prim_func
    def lengths(p: T.handle, q: T.handle):
        n = T.var("int32")
        m, k = T.int64(), T.int32()
        P = T.match_buffer(p, (k, n), "float32")
        Q = T.match_buffer(q, (m,), dtype="float16")
        for i in T.serial(m):
            Q[i] = Q[i] * 2
