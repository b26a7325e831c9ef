# pass: RemoveUnusedOutputs()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main_a():
        cls = Module
        args = cls.func()
        return args[0]

    @R.function
    def main_b():
        cls = Module
        args = cls.func()
        return args[2]

    @R.function(private=True)
    def func() -> R.Tuple([R.Tensor, R.Tensor, R.Tensor]):
        A = R.zeros([16, 16], "int32")
        B = R.ones([16, 16], "int32")
        C = R.zeros([32, 32], "int32")
        return (A, B, C)
