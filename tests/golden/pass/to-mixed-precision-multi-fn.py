# pass: ToMixedPrecision(out_dtype="float32")
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def layer(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 8), dtype="float32") = R.matmul(x, w, out_dtype="void")
            b: R.Tensor((4, 8), dtype="float32") = R.nn.relu(a)
            R.output(b)
        return b

    @R.function
    def other(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 8), dtype="float32") = R.exp(x)
            b: R.Tensor((4, 8), dtype="float32") = R.add(a, x)
            R.output(b)
        return b

    @R.function
    def main(x: R.Tensor((4, 8), dtype="float32"), w1: R.Tensor((8, 8), dtype="float32"), w2: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        h: R.Tensor((4, 8), dtype="float32") = cls.layer(x, w1)
        h2: R.Tensor((4, 8), dtype="float32") = cls.layer(h, w2)
        return h2