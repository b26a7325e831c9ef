# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 1), dtype="float32")):
        with R.dataflow():
            lv: R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 1), dtype="float32")) = R.split(x, indices_or_sections=[2, 5], axis=1)
            gv: R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 1), dtype="float32")) = lv
            R.output(gv)
        return gv
