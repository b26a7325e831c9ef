# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            a: R.Tensor((n, m), dtype="float32") = R.add(x, y)
            b: R.Tensor((n,), dtype="float32") = R.sum(a, axis=[1], keepdims=False)
            R.output(b)
        return b
