# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float32"), i: R.Tensor(("m",), dtype="int64")) -> R.Tensor(("m", 6), dtype="float32"):
        m = T.int64()
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((m, 6), dtype="float32") = R.take(x, i, axis=0)
            gv: R.Tensor((m, 6), dtype="float32") = lv
            R.output(gv)
        return gv
