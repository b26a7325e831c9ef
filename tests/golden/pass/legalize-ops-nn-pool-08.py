# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 8, 8), dtype="float32")) -> R.Tensor((1, 4, 1, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 4, 1, 1), dtype="float32") = R.nn.adaptive_avg_pool2d(x, output_size=[1, 1], layout="NCHW", out_layout="NCHW")
            gv: R.Tensor((1, 4, 1, 1), dtype="float32") = lv
            R.output(gv)
        return gv
