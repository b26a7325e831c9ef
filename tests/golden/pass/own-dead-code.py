# pass: DeadCodeElimination()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(private=True)
    def unused_func(x: R.Tensor((16, 16), "float32")):
        gv0 = R.exp(x)
        return gv0

    @R.function(private=True)
    def only_dead(x: R.Tensor((16, 16), "float32")) -> R.Tensor((16, 16), "float32"):
        gv0 = R.exp(x)
        return gv0

    @R.function(pure=False)
    def main(x: R.Tensor((16, 16), "float32")):
        cls = Module
        d = cls.only_dead(x)
        with R.dataflow():
            a = R.exp(x)
            b = R.tanh(a)
            c = R.abs(b)
            R.output(b, c)
        _ = R.print(b, format="{}")
        with R.dataflow():
            e = R.exp(c)
            R.output(e)
        return b
