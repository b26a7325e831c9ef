# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 4, 4, 4), dtype="float32"), w: R.Tensor((3, 2, 3, 3, 3), dtype="float32")) -> R.Tensor((1, 3, 4, 4, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 3, 4, 4, 4), dtype="float32") = R.nn.conv3d(x, w, strides=[1, 1, 1], padding=[1, 1, 1, 1, 1, 1], dilation=[1, 1, 1], groups=1, data_layout="NCDHW", kernel_layout="OIDHW", out_layout="NCDHW", out_dtype="void")
            gv: R.Tensor((1, 3, 4, 4, 4), dtype="float32") = lv
            R.output(gv)
        return gv
