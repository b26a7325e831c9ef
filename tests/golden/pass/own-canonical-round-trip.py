# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(param_tuple: R.Tuple([R.Tensor, R.Tensor, R.Tensor])):
        with R.dataflow():
            A = param_tuple[0]
            B = param_tuple[1]
            C = param_tuple[2]
            output = (A, B, C)
            R.output(output)
        return output
