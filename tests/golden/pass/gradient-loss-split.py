# pass: Gradient("main")
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 4), dtype="float32"), y: R.Tensor((3, 4), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((3, 4), dtype="float32") = R.exp(x)
            b: R.Tuple(R.Tensor((3, 2), dtype="float32"), R.Tensor((3, 2), dtype="float32")) = R.split(a, indices_or_sections=2, axis=1)
            c: R.Tensor((3, 2), dtype="float32") = b[0]
            d: R.Tensor((3, 2), dtype="float32") = b[1]
            e: R.Tensor((3, 2), dtype="float32") = R.multiply(c, d)
            g: R.Tensor((2, 3), dtype="float32") = R.permute_dims(e, axes=None)
            h: R.Tensor((), dtype="float32") = R.sum(g, axis=None, keepdims=False)
            R.output(h)
        return h