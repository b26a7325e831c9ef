# pass: ConvertToDataflow()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor, y: R.Tensor) -> R.Tensor:
        z = R.add(x, y)
        w = R.multiply(z, y)
        v = R.add(w, x)
        _ = R.print(format="Hi")
        a = R.multiply(v, v)
        b = R.add(a, a)
        c = R.subtract(b, a)
        return c
