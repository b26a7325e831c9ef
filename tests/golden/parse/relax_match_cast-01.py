# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Object) -> R.Tensor((3, 4), dtype="float32"):
        y: R.Tensor((3, 4), dtype="float32") = R.match_cast(x, R.Tensor((3, 4), dtype="float32"))
        z: R.Tensor((3, 4), dtype="float32") = R.exp(y)
        return z
