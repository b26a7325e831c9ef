from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def linear(x: T.handle, w: T.handle, b: T.handle, y: T.handle):
        n, k = T.int64(), T.int64()
        X = T.match_buffer(x, (1, k), "float32")
        W = T.match_buffer(w, (n, k), "float32")
        B = T.match_buffer(b, (n,), "float32")
        Y = T.match_buffer(y, (1, n), "float32")
        S = T.alloc_buffer((1, n), "float32")
        for i, j, r in T.grid(1, n, k):
            with T.block("sum"):
                vi, vj, vr = T.axis.remap("SSR", [i, j, r])
                with T.init():
                    S[vi, vj] = T.float32(0)
                S[vi, vj] = S[vi, vj] + X[vi, vr] * W[vj, vr]
        for i, j in T.grid(1, n):
            with T.block("bias"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = S[vi, vj] + B[vj]

    @R.function
    def main(x: R.Tensor((1, "k"), "float32"), w0: R.Tensor(("n", "k"), "float32"), b0: R.Tensor(("n",), "float32"),
             w1: R.Tensor(("m", "n"), "float32"), b1: R.Tensor(("m",), "float32")) -> R.Tensor((1, "m"), "float32"):
        k, n, m = T.int64(), T.int64(), T.int64()
        cls = Module
        with R.dataflow():
            hidden = R.call_tir(cls.linear, (x, w0, b0), R.Tensor((1, n), "float32"))
            active = R.call_dps_packed("env.relu", (hidden,), R.Tensor((1, n), "float32"))
            logits = R.call_dps_packed("env.linear", (active, w1, b1), R.Tensor((1, m), "float32"))
            R.output(logits)
        return logits
