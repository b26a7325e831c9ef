# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((3, 4, 2), dtype="float32"):
        y: R.Tensor((3, 4, 2), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j // 2, i, j % 2)), pad_value=None, axis_separators=[], input_axis_separators=[])
        return y
