# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "n * 2"), dtype="float32")) -> R.Tensor(("n", "n * 2"), dtype="float32"):
        n = T.int64()
        return x
