# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor):
        with R.dataflow():
            x = R.add(w, R.const(1))
            y = x
            z = x
            R.output(y, z)
        return (y, z)
