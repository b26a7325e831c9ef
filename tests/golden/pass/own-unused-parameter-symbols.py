# pass: RemoveUnusedParameters()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor(["m", "n"], "float32")) -> R.Tensor(["m", "n"], "float32"):
        cls = Module
        return cls.func(A)

    @R.function(private=True)
    def func(A: R.Tensor(["m", "n"], "float32")) -> R.Tensor(["m", "n"], "float32"):
        m = T.int64()
        n = T.int64()
        return R.zeros(R.shape([m, n]), dtype="float32")
