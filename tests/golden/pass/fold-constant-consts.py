# pass: FoldConstant()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((), dtype="float32") = R.add(R.const(2.0, "float32"), R.const(3.0, "float32"))
            b: R.Tensor((4, 6), dtype="float32") = R.multiply(x, a)
            c: R.Tensor((4, 6), dtype="float32") = R.zeros(R.shape([4, 6]), dtype="float32")
            d: R.Tensor((4, 6), dtype="float32") = R.add(b, c)
            e: R.Tensor((6,), dtype="float32") = R.ones(R.shape([6]), dtype="float32")
            f: R.Tensor((6,), dtype="float32") = R.exp(e)
            g: R.Tensor((4, 6), dtype="float32") = R.add(d, f)
            R.output(g)
        return g