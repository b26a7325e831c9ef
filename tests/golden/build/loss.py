# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), w: R.Tensor((6, 3), dtype="float32"), y: R.Tensor((4, 3), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 3), dtype="float32") = R.matmul(x, w, out_dtype="void")
            b: R.Tensor((4, 3), dtype="float32") = R.subtract(a, y)
            c: R.Tensor((4, 3), dtype="float32") = R.multiply(b, b)
            d: R.Tensor((), dtype="float32") = R.sum(c, axis=None, keepdims=False)
            R.output(d)
        return d
