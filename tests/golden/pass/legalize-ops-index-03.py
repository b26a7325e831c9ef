# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), dtype="float32"), i: R.Tensor((3,), dtype="int64")) -> R.Tensor((3,), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3,), dtype="float32") = R.take(x, i, axis=None)
            gv: R.Tensor((3,), dtype="float32") = lv
            R.output(gv)
        return gv
