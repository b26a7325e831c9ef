# pass: RemoveUnusedParameters()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor, B: R.Tensor):
        cls = Module
        return cls.func(A, B)

    @R.function(private=True)
    def func(A: R.Tensor, B: R.Tensor) -> R.Tensor:
        return A
