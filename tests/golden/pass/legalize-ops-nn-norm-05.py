# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float16"), g: R.Tensor((6,), dtype="float16")) -> R.Tensor(("n", 6), dtype="float16"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 6), dtype="float16") = R.nn.rms_norm(x, g, axes=[-1], epsilon=9.9999999999999995e-07)
            gv: R.Tensor((n, 6), dtype="float16") = lv
            R.output(gv)
        return gv
