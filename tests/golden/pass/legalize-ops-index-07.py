# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((2, 6), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 6), dtype="float32") = R.strided_slice(x, (R.prim_value(0),), (R.prim_value(1),), (R.prim_value(3),), assume_inbound=False)
            gv: R.Tensor((2, 6), dtype="float32") = lv
            R.output(gv)
        return gv
