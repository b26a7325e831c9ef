# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor, y: R.Tensor) -> R.Tensor:
        with R.dataflow():
            @R.function(pure=False)
            def inner_func(x: R.Tensor, y: R.Tensor) -> R.Tensor:
                with R.dataflow():
                    z = R.add(x, y)
                    w = R.multiply(x, z)
                    v = R.add(y, w)
                    R.output(z, w, v)
                _ = R.print(format="oops")
                with R.dataflow():
                    a = R.multiply(v, v)
                    c = R.multiply(a, a)
                    R.output(a, c)
                return c
            z = R.add(x, y)
            w = R.multiply(z, z)
            R.output(inner_func, z, w)
        q = inner_func(w, w)
        return q
