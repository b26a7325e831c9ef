# pass: CombineParallelMatmul()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 16, 64), "float32"), w0: R.Tensor((64, 32), "float32"), w1: R.Tensor((64, 16), "float32"), b0: R.Tensor((32,), "float32"), b1: R.Tensor((16,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            a1 = R.add(a, b0)
            a2 = R.nn.relu(a1)
            b = R.matmul(x, w1)
            bb = R.add(b, b1)
            b2 = R.nn.relu(bb)
            R.output(a2, b2)
        return a2, b2
