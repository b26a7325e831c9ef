# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor):
        with R.dataflow():
            y = R.const(1)
            z = y
            n = z
            R.output(n)
        return n
