# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 5), dtype="float32"), w: R.Tensor((3, 2, 3), dtype="float32")) -> R.Tensor((1, 2, 11), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 2, 11), dtype="float32") = R.nn.conv1d_transpose(x, w, strides=[2], padding=[0, 0], output_padding=[0], dilation=[1], groups=1, data_layout="NCW", kernel_layout="IOW", out_layout="NCW", out_dtype="void")
            gv: R.Tensor((1, 2, 11), dtype="float32") = lv
            R.output(gv)
        return gv
