# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor((3, "n"), dtype="int32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((3, n), dtype="int32") = R.ones(R.shape([3, n]), dtype="int32")
            gv: R.Tensor((3, n), dtype="int32") = lv
            R.output(gv)
        return gv
