# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32")) -> R.Tensor((1, "n", 6, 1), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((1, n, 6, 1), dtype="float32") = R.expand_dims(x, axis=[0, -1])
            gv: R.Tensor((1, n, 6, 1), dtype="float32") = lv
            R.output(gv)
        return gv
