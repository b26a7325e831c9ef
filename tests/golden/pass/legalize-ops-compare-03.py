# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="int32"), y: R.Tensor(("n",), dtype="int32")) -> R.Tensor(("n",), dtype="bool"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n,), dtype="bool") = R.not_equal(x, y)
            gv: R.Tensor((n,), dtype="bool") = lv
            R.output(gv)
        return gv
