# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b: R.Tensor((4,), dtype="float32") = R.tanh(a)
            c: R.Tensor((4,), dtype="float32") = R.sin(a)
            R.output(a, c)
        d: R.Tensor((4,), dtype="float32") = R.cos(c)
        return d
