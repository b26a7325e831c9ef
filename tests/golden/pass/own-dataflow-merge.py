# pass: ConvertToDataflow()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor, y: R.Tensor) -> R.Tensor:
        z = R.add(x, y)
        with R.dataflow():
            w = R.multiply(z, y)
            v = R.add(w, x)
            R.output(v)
        u = R.exp(v)
        return u
