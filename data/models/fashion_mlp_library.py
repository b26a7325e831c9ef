from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "k"), "float32"), w0: R.Tensor(("n", "k"), "float32"), b0: R.Tensor(("n",), "float32"),
             w1: R.Tensor(("m", "n"), "float32"), b1: R.Tensor(("m",), "float32")) -> R.Tensor((1, "m"), "float32"):
        k, n, m = T.int64(), T.int64(), T.int64()
        with R.dataflow():
            hidden = R.call_dps_packed("env.linear", (x, w0, b0), R.Tensor((1, n), "float32"))
            active = R.call_dps_packed("env.relu", (hidden,), R.Tensor((1, n), "float32"))
            logits = R.call_dps_packed("env.linear", (active, w1, b1), R.Tensor((1, m), "float32"))
            R.output(logits)
        return logits
