# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="int32")) -> R.Tensor((3,), dtype="int32"):
        y: R.Tensor((3,), dtype="int32") = R.add(x, R.const(1, "int32"))
        return y
