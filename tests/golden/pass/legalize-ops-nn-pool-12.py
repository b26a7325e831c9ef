# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((6, 8), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((6, 8), dtype="float32") = R.nn.pad(x, pad_width=[1, 1, 2, 0], pad_value=0.0, pad_mode="constant")
            gv: R.Tensor((6, 8), dtype="float32") = lv
            R.output(gv)
        return gv
