# pass: BindSymbolicVars({"n": 3, "m": 4})
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n * m",), "float32"):
        n = T.int64()
        m = T.int64()
        y: R.Tensor((n * m,), "float32") = R.reshape(x, R.shape([n * m]))
        return y

    @R.function
    def other(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.exp(x)
        return y
