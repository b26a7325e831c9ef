# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((4, 4), dtype="float32") = R.eye(R.prim_value(4), R.prim_value(4), R.prim_value(0), dtype="float32")
            gv: R.Tensor((4, 4), dtype="float32") = lv
            R.output(gv)
        return gv
