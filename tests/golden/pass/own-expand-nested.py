# pass: ExpandTupleArguments()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((2,), "float32")):
        cls = Module
        t = ((x, y), x)
        z = cls.f(t)
        return z

    @R.function(private=True)
    def f(p: R.Tuple(R.Tuple(R.Tensor((4,), "float32"), R.Tensor((2,), "float32")), R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        a = p[0]
        b = a[0]
        c = p[1]
        d = R.add(b, c)
        return d
