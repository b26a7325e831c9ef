# pass: RemoveUnusedOutputs()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor([16, 16], "int32")):
        cls = Module
        B = R.add(A, A)
        out_tuple = cls.func(B)
        return out_tuple

    @R.function(private=True)
    def func(B: R.Tensor([16, 16], "int32")) -> R.Tuple(R.Tensor([16, 16], "int32"), R.Tensor([16, 16], "int32")):
        C = R.multiply(B, B)
        D = R.add(B, B)
        return (C, D)
