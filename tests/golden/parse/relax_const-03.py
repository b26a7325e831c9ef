# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float64")) -> R.Tensor((3,), dtype="float64"):
        y: R.Tensor((3,), dtype="float64") = R.add(x, R.const(3.5, "float64"))
        return y
