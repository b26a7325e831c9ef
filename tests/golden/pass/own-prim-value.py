# pass: ComputePrimValue()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(["N"], "float32")):
        N = T.int64()
        s = R.full(R.shape([N]), R.const(1.0, "float32"), dtype="float32")
        v = R.prim_value(N * N + 2)
        w = R.prim_value(N)
        return (s, v, w)
