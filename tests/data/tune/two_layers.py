"""A Relax module of three functions, one of which is called twice: what Tune searches as a whole."""
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class TwoLayers:
    @T.prim_func
    def dense(A: T.Buffer((64, 64), "float32"), W: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        for i, j, k in T.grid(64, 64, 64):
            with T.block("dense"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vk, vj]

    @T.prim_func
    def head(A: T.Buffer((64, 64), "float32"), W: T.Buffer((64, 16), "float32"), C: T.Buffer((64, 16), "float32")):
        for i, j, k in T.grid(64, 16, 64):
            with T.block("head"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vk, vj]

    @T.prim_func
    def clip(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(64, 64):
            with T.block("clip"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.max(A[vi, vj], T.float32(0))

    @R.function
    def main(x: R.Tensor((64, 64), "float32"), w: R.Tensor((64, 64), "float32"), v: R.Tensor((64, 64), "float32"),
             u: R.Tensor((64, 16), "float32")) -> R.Tensor((64, 16), "float32"):
        cls = TwoLayers
        a = R.call_tir(cls.dense, (x, w), out_sinfo=R.Tensor((64, 64), "float32"))
        b = R.call_tir(cls.clip, (a,), out_sinfo=R.Tensor((64, 64), "float32"))
        c = R.call_tir(cls.dense, (b, v), out_sinfo=R.Tensor((64, 64), "float32"))
        d = R.call_tir(cls.head, (c, u), out_sinfo=R.Tensor((64, 16), "float32"))
        return d
