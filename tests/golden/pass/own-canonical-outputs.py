# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor):
        with R.dataflow():
            lv1 = R.add(x, R.const(1))
            gv1 = lv1
            gv2 = R.add(lv1, R.const(1))
            R.output(gv1, gv2)
        return gv2
