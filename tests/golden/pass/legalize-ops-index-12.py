# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), b: R.Tensor((2,), dtype="int64"), e_: R.Tensor((2,), dtype="int64"), s: R.Tensor((2,), dtype="int64")) -> R.Tensor(dtype="float32", ndim=2):
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=2) = R.dynamic_strided_slice(x, b, e_, s)
            gv: R.Tensor(dtype="float32", ndim=2) = lv
            R.output(gv)
        return gv
