# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor, y: R.Tensor):
        tuple_var = (x, y)
        w = tuple_var[0]
        q = tuple_var[1]
        z = R.add(w, q)
        return R.add(q, z)
