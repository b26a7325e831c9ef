# pass: LambdaLift()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((), "int32")) -> R.Tensor((), "int32"):
        @R.function(pure=False)
        def inner() -> R.Tuple:
            _ = R.print(format="Wow!")
            return R.tuple()
        gv1 = inner()
        return x
