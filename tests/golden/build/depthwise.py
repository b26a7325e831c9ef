# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 6, 6), dtype="float32"), k: R.Tensor((4, 1, 3, 3), dtype="float32"), p: R.Tensor((8, 4, 1, 1), dtype="float32")) -> R.Tensor((1, 8, 6, 6), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((1, 4, 6, 6), dtype="float32") = R.nn.conv2d(x, k, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=4, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            b: R.Tensor((1, 8, 6, 6), dtype="float32") = R.nn.conv2d(a, p, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            c: R.Tensor((1, 8, 6, 6), dtype="float32") = R.clip(b, R.prim_value(0), R.prim_value(6))
            R.output(c)
        return c
