# pass: MergeCompositeFunctions()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused_relax_tanh(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"Composite": "own.tanh", "Primitive": 1})
        with R.dataflow():
            gv: R.Tensor((4,), dtype="float32") = R.tanh(a)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b: R.Tensor((4,), dtype="float32") = R.exp(y)
            lv: R.Tensor((4,), dtype="float32") = cls.fused_relax_tanh(a)
            lv1: R.Tensor((4,), dtype="float32") = cls.fused_relax_tanh(b)
            e: R.Tensor((4,), dtype="float32") = R.add(lv, lv1)
            R.output(e)
        return e
