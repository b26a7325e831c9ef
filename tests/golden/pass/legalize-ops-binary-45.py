# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), dtype="bool"), y: R.Tensor((3, 1), dtype="bool")) -> R.Tensor((3, 6), dtype="bool"):
        with R.dataflow():
            lv: R.Tensor((3, 6), dtype="bool") = R.logical_xor(x, y)
            gv: R.Tensor((3, 6), dtype="bool") = lv
            R.output(gv)
        return gv
