# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), y: R.Tensor((6,), dtype="float32")) -> R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((6,), dtype="float32"), R.Tensor((4, 6), dtype="int32")):
        with R.dataflow():
            c: R.Tensor((4, 6), dtype="bool") = R.greater(x, y)
            d: R.Tensor((4, 6), dtype="float32") = R.where(c, x, y)
            e: R.Tensor((4, 6), dtype="float32") = R.astype(c, dtype="float32")
            f: R.Tensor((6,), dtype="float32") = R.sum(e, axis=[0], keepdims=False)
            g: R.Tensor((4, 6), dtype="int32") = R.astype(d, dtype="int32")
            R.output(d, f, g)
        return (d, f, g)
