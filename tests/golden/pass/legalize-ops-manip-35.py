# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), i: R.Tensor((4, 2), dtype="int64")) -> R.Tensor((4, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 2), dtype="float32") = R.gather_elements(x, i, axis=1)
            gv: R.Tensor((4, 2), dtype="float32") = lv
            R.output(gv)
        return gv
