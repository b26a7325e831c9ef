# pass: EliminateCommonSubexpr(call_only=True)
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((160,), dtype="float32")):
        with R.dataflow():
            t = (x, x)
            u = (x, x)
            lv1 = R.exp(x)
            lv2 = R.exp(x)
            lv3 = R.add(lv1, lv2)
            out = (t, u, lv3)
            R.output(out)
        return out
