# pass: Normalize()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), "int32")):
        with R.dataflow():
            v0 = x
            R.output(v0)
        with R.dataflow():
            v1 = v0
            R.output(v1)
        v2 = v1
        return v2
