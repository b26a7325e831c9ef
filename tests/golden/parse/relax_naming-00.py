# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        x1: R.Tensor((4,), dtype="float32") = R.exp(x)
        x_1: R.Tensor((4,), dtype="float32") = R.exp(x1)
        x_2: R.Tensor((4,), dtype="float32") = R.exp(x_1)
        return x_2
