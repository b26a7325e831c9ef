# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 8), dtype="int8"), w: R.Tensor((8, 4), dtype="int8")) -> R.Tensor((3, 4), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((3, 4), dtype="int32") = R.matmul(x, w, out_dtype="int32")
            b: R.Tensor((3, 4), dtype="float32") = R.astype(a, dtype="float32")
            c: R.Tensor((3, 4), dtype="float32") = R.multiply(b, R.const(0.125, "float32"))
            d: R.Tensor((3, 4), dtype="float32") = R.round(c)
            R.output(d)
        return d
