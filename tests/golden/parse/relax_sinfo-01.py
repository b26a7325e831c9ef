# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(f: R.Callable, x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        return x
