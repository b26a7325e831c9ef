# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="int64")) -> R.Shape(ndim=3):
        with R.dataflow():
            lv: R.Shape(ndim=3) = R.tensor_to_shape(x)
            gv: R.Shape(ndim=3) = lv
            R.output(gv)
        return gv
