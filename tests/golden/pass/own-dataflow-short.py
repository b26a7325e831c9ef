# pass: ConvertToDataflow()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(A: R.Tensor, B: R.Tensor) -> R.Tensor:
        _ = R.print(format="Hi")
        y = R.add(A, B)
        _ = R.print(y, format="Sum: {}")
        x = R.multiply(y, y)
        return x
