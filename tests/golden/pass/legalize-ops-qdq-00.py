# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), s: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="int8")) -> R.Tensor((2, 4), dtype="int8"):
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="int8") = R.quantize(x, s, z, out_dtype="int8", axis=1)
            gv: R.Tensor((2, 4), dtype="int8") = lv
            R.output(gv)
        return gv
