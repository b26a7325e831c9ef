# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float16")) -> R.Tensor(("n", 4), dtype="float16"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float16") = R.add(R.const(0.5, "float16"), x)
            gv: R.Tensor((n, 4), dtype="float16") = lv
            R.output(gv)
        return gv
