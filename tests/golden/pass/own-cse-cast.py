# pass: EliminateCommonSubexpr()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), y: R.Tensor(dtype="float32")):
        with R.dataflow():
            A1 = R.add(x, y)
            n = T.int64()
            m = T.int64()
            B1 = R.match_cast(A1, R.Tensor([n, m], "float32"))
            A2 = R.add(x, y)
            p = T.int64()
            q = T.int64()
            B2 = R.match_cast(A2, R.Tensor([p, q], "float32"))
            gv = R.multiply(B1, B2)
            R.output(gv)
        return gv
