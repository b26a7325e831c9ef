# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="int64"), R.Tensor((4,), dtype="float32"), R.Tensor((4, 6), dtype="float32"), R.Tensor((4, 6), dtype="float32")):
        with R.dataflow():
            a: R.Tensor((4,), dtype="int64") = R.argmax(x, axis=1, keepdims=False)
            b: R.Tensor((4,), dtype="float32") = R.max(x, axis=[1], keepdims=False)
            c: R.Tensor((4, 6), dtype="float32") = R.cumsum(x, axis=1, dtype="void", exclusive=False)
            d: R.Tensor((4, 6), dtype="float32") = R.sort(x, axis=1, descending=False)
            R.output(a, b, c, d)
        return (a, b, c, d)
