# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 4), dtype="int32")) -> R.Tensor((3, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 4), dtype="float32") = R.astype(x, dtype="float32")
            gv: R.Tensor((3, 4), dtype="float32") = lv
            R.output(gv)
        return gv
