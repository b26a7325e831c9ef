# pass: EliminateCommonSubexpr()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32"), c: R.Tensor((), "bool")):
        A = R.add(x, y)
        if c:
            B = R.add(x, y)
            C = R.multiply(x, B)
            D = R.multiply(A, C)
        else:
            B = R.subtract(x, y)
            C = R.multiply(y, B)
            D = R.multiply(A, C)
        E = R.subtract(x, y)
        F = R.add(D, E)
        return F
