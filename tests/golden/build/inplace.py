# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), dtype="float32"), y: R.Tensor((8, 8), dtype="float32")) -> R.Tensor((8, 16), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((8, 8), dtype="float32") = R.matmul(x, y, out_dtype="void")
            b: R.Tensor((8, 8), dtype="float32") = R.permute_dims(a, axes=None)
            c: R.Tensor((8, 8), dtype="float32") = R.matmul(x, b, out_dtype="void")
            d: R.Tensor((8, 16), dtype="float32") = R.concat((a, c), axis=1)
            e: R.Tensor((8,), dtype="float32") = R.max(d, axis=[1], keepdims=False)
            f: R.Tensor((8, 1), dtype="float32") = R.expand_dims(e, axis=[1])
            g: R.Tensor((8, 16), dtype="float32") = R.subtract(d, f)
            R.output(g)
        return g
