# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 2), dtype="float32") = R.exp(x)
            R.output(a)
        if c:
            with R.dataflow():
                b: R.Tensor((2, 2), dtype="float32") = R.add(a, x)
                g: R.Tensor((2, 2), dtype="float32") = R.add(b, b)
                R.output(g)
            y: R.Tensor((2, 2), dtype="float32") = g
        else:
            y_else: R.Tensor((2, 2), dtype="float32") = R.subtract(a, x)
            y: R.Tensor((2, 2), dtype="float32") = y_else
        return y
