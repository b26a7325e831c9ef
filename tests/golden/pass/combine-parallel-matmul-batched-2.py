# pass: CombineParallelMatmul()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 64), "float32"), w0: R.Tensor((2, 64, 32), "float32"), w1: R.Tensor((64, 16), "float32"), w2: R.Tensor((2, 64, "n"), "float32"), w3: R.Tensor((2, 64, 8), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = R.matmul(x, w2)
            d = R.matmul(x, w3)
            R.output(a, b, c, d)
        return a, b, c, d
