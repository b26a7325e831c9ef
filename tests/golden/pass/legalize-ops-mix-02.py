# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 6), dtype="float32") = R.exp(x)
            lv1: R.Tensor((4, 1), dtype="float32") = R.sum(lv, axis=[1], keepdims=True)
            lv2: R.Tensor((4, 6), dtype="float32") = R.divide(lv, lv1)
            gv: R.Tensor((4, 6), dtype="float32") = lv2
            R.output(gv)
        return gv
