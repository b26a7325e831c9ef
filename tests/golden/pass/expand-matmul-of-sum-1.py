# pass: ExpandMatmulOfSum()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), a: R.Tensor((16, 8), "float32"), b: R.Tensor((16, 8), "float32"), c: R.Tensor((16, 16), "float32")):
        with R.dataflow():
            s = R.add(a, b)
            t = R.permute_dims(s)
            y = R.matmul(x, t)
            u = R.add(c, c)
            z = R.matmul(y, u)
            R.output(z)
        return z
