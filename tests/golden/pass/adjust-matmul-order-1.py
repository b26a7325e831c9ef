# pass: AdjustMatmulOrder()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 64), "float32"), a: R.Tensor((64, 2), "float32"), b: R.Tensor((2, 64), "float32"), v: R.Tensor((64,), "float32"), q: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            ab = R.matmul(a, b)
            y = R.matmul(x, ab)
            w = R.matmul(q, R.permute_dims(q))
            u = R.matmul(ab, v)
            R.output(y, u, w)
        return y, u, w
