# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 6), dtype="float32") = R.nn.gelu_tanh(x)
            gv: R.Tensor((4, 6), dtype="float32") = lv
            R.output(gv)
        return gv
