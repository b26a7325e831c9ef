# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tuple(R.Tensor((2,), dtype="float32"), R.Shape([2, 3])))) -> R.Tensor((2,), dtype="float32"):
        a: R.Tuple(R.Tensor((2,), dtype="float32"), R.Shape([2, 3])) = x[1]
        b: R.Tensor((2,), dtype="float32") = a[0]
        c: R.Tensor((2,), dtype="float32") = R.exp(b)
        return c
