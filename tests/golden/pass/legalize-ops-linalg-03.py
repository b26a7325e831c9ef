# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), dtype="float32"), y: R.Tensor((6, 5), dtype="float32")) -> R.Tensor((5,), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((5,), dtype="float32") = R.matmul(x, y, out_dtype="void")
            gv: R.Tensor((5,), dtype="float32") = lv
            R.output(gv)
        return gv
