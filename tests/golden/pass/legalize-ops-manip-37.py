# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5, 3), dtype="float32"), i: R.Tensor((2, 3), dtype="int64"), u: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((5, 3), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((5, 3), dtype="float32") = R.scatter_elements(x, i, u, axis=0, reduction="update")
            gv: R.Tensor((5, 3), dtype="float32") = lv
            R.output(gv)
        return gv
