# pass: EliminateCommonSubexpr()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")):
        p1 = R.print(format="Message")
        p2 = R.print(format="Message")
        lv0 = R.add(x, y)
        lv1 = R.add(x, y)
        gv = R.multiply(lv0, lv1)
        return gv
