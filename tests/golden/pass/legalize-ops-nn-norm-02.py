# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 6), dtype="float16"), g: R.Tensor((6,), dtype="float16"), b: R.Tensor((6,), dtype="float16")) -> R.Tensor(("n", 6), dtype="float16"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 6), dtype="float16") = R.nn.layer_norm(x, g, b, axes=[-1], epsilon=1.0000000000000001e-05, center=True, scale=True)
            gv: R.Tensor((n, 6), dtype="float16") = lv
            R.output(gv)
        return gv
