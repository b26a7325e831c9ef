# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 2), dtype="float16")) -> R.Tensor((3, 2), dtype="float16"):
        with R.dataflow():
            lv: R.Tensor((3, 2), dtype="float16") = R.sigmoid(x)
            gv: R.Tensor((3, 2), dtype="float16") = lv
            R.output(gv)
        return gv
