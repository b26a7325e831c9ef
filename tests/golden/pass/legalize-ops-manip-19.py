# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), y: R.Tensor((3, 4), dtype="float32")) -> R.Tensor((5, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((5, 4), dtype="float32") = R.concat((x, y), axis=0)
            gv: R.Tensor((5, 4), dtype="float32") = lv
            R.output(gv)
        return gv
