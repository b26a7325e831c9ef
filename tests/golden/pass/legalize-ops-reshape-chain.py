# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 6), dtype="float32")) -> R.Tensor((1, "n * 12"), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((n, 12), dtype="float32") = R.reshape(x, R.shape([n, 12]))
            b: R.Tensor((n, 12), dtype="float32") = R.nn.relu(a)
            c: R.Tensor((n * 12,), dtype="float32") = R.flatten(b)
            d: R.Tensor((1, n * 12), dtype="float32") = R.expand_dims(c, axis=[0])
            e: R.Tensor((1, n * 12), dtype="float32") = R.add(d, d)
            R.output(e)
        return e
