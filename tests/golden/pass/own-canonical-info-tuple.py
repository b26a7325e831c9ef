# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(A: R.Tensor(("v", 40), dtype="float16"), B: R.Tensor((61, 40), dtype="float16")):
        with R.dataflow():
            C = B
            D: R.Tuple(R.Tensor(dtype="float16", ndim=2), R.Tensor((61, 40), dtype="float16")) = (A, C)
            E = D
            R.output(E)
        return E
