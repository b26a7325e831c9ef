# pass: InlinePrivateFunctions()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, "k"), "float32")) -> R.Tensor((4, "k"), "float32"):
        cls = Module
        y = cls.outer(x)
        return y

    @R.function(private=True)
    def outer(a: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        b: R.Tensor((n, m), "float32") = cls.inner(a)
        c: R.Tensor((n, m), "float32") = R.add(a, b)
        return c

    @R.function(private=True)
    def inner(a: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        b = R.exp(a)
        return b
