# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4, "m"), dtype="float32"), y: R.Tensor(("n", "m", 4), dtype="float32")) -> R.Tensor(("n", 4, 4), dtype="float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4, 4), dtype="float32") = R.matmul(x, y, out_dtype="void")
            gv: R.Tensor((n, 4, 4), dtype="float32") = lv
            R.output(gv)
        return gv
