# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 8, 8), dtype="float32")) -> R.Tensor((1, 4, 4, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 4, 4, 4), dtype="float32") = R.nn.max_pool2d(x, pool_size=[3, 3], strides=[2, 2], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=True, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            gv: R.Tensor((1, 4, 4, 4), dtype="float32") = lv
            R.output(gv)
        return gv
