# pass: EliminateCommonSubexpr()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")):
        with R.dataflow():
            A = R.add(x, y)
            B = R.add(x, y)
            C = R.multiply(A, B)
            R.output(B, C)
        D = R.add(x, y)
        return (B, C, D)
