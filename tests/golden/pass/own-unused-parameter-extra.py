# pass: RemoveUnusedParameters()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor(["m", "n"], "float32")) -> R.Tensor(["m", "n"], "float32"):
        m = T.int64()
        n = T.int64()
        cls = Module
        return cls.func(A, R.prim_value(m), R.shape([m, n]))

    @R.function(private=True)
    def func(A: R.Tensor(["m", "n"], "float32"), _m: R.Prim(value="m"), _s: R.Shape(["m", "n"])) -> R.Tensor(["m", "n"], "float32"):
        m = T.int64()
        n = T.int64()
        zeros = R.zeros(R.shape([m, n]), dtype="float32")
        out = R.add(A, zeros)
        return out
