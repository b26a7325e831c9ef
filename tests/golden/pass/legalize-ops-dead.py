# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def unused(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((3,), dtype="float32") = R.exp(x)
            R.output(a)
        return a

    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), y: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 6), dtype="float32") = R.add(x, y)
            dead1: R.Tensor((4, 6), dtype="float32") = R.exp(a)
            dead2: R.Tensor((4, 6), dtype="float32") = R.multiply(dead1, dead1)
            b: R.Tensor((4, 6), dtype="float32") = R.tanh(a)
            t: R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((4, 6), dtype="float32")) = b, dead2
            c: R.Tensor((4, 6), dtype="float32") = t[0]
            e: R.Tensor((4, 6), dtype="float32") = c
            R.output(e)
        return e