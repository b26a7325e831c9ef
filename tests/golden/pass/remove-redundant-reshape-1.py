# pass: RemoveRedundantReshape()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), "float32")):
        with R.dataflow():
            a = R.reshape(x, (24,))
            b = R.reshape(a, (2, 12))
            c = R.reshape(b, (2, 12))
            d = R.reshape(x, (4, 6))
            e = R.add(d, x)
            R.output(c, e)
        return c, e
