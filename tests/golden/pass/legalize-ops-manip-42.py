# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((3, 4, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 4, 2), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda a, b: (b // 2, a, b % 2)), pad_value=None, axis_separators=[], input_axis_separators=[])
            gv: R.Tensor((3, 4, 2), dtype="float32") = lv
            R.output(gv)
        return gv
