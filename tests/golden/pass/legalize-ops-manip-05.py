# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((2, 3, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 3, 4), dtype="float32") = R.reshape(x, R.shape([2, 3, 4]))
            gv: R.Tensor((2, 3, 4), dtype="float32") = lv
            R.output(gv)
        return gv
