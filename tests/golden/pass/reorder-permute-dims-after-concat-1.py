# pass: ReorderPermuteDimsAfterConcat()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), a: R.Tensor((16, 8), "float32"), b: R.Tensor((32, 8), "float32"), c: R.Tensor((2, 3, 4), "float32"), d: R.Tensor((2, 5, 4), "float32")):
        with R.dataflow():
            p = R.permute_dims(a)
            q = R.permute_dims(b)
            w = R.concat((p, q), axis=1)
            y = R.matmul(x, w)
            r = R.permute_dims(c, axes=[0, 2, 1])
            s = R.permute_dims(d, axes=[0, 2, 1])
            z = R.concat((r, s), axis=-1)
            R.output(y, z)
        return y, z
