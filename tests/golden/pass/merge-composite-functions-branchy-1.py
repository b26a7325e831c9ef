# pass: MergeCompositeFunctions()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused_relax_exp_relax_add(x: R.Tensor((6, 10), dtype="float32"), y: R.Tensor((6, 10), dtype="float32")) -> R.Tuple(R.Tensor((6, 10), dtype="float32"), R.Tensor((6, 10), dtype="float32")):
        R.func_attr({"Composite": "own.exp_add", "Primitive": 1})
        with R.dataflow():
            gv: R.Tensor((6, 10), dtype="float32") = R.exp(x)
            gv1: R.Tensor((6, 10), dtype="float32") = R.add(gv, y)
            R.output(gv, gv1)
        return (gv, gv1)

    @R.function(private=True)
    def fused_relax_tanh(lv2: R.Tensor((6, 10), dtype="float32")) -> R.Tensor((6, 10), dtype="float32"):
        R.func_attr({"Composite": "own.tanh", "Primitive": 1})
        with R.dataflow():
            gv: R.Tensor((6, 10), dtype="float32") = R.tanh(lv2)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((6, 10), dtype="float32"), y: R.Tensor((6, 10), dtype="float32")) -> R.Tensor((6,), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tuple(R.Tensor((6, 10), dtype="float32"), R.Tensor((6, 10), dtype="float32")) = cls.fused_relax_exp_relax_add(x, y)
            lv1: R.Tensor((6, 10), dtype="float32") = lv[0]
            lv2: R.Tensor((6, 10), dtype="float32") = lv[1]
            c: R.Tensor((6, 10), dtype="float32") = R.multiply(lv1, y)
            d: R.Tensor((6, 10), dtype="float32") = R.subtract(lv2, c)
            lv_1: R.Tensor((6, 10), dtype="float32") = cls.fused_relax_tanh(lv2)
            f: R.Tensor((6, 10), dtype="float32") = R.add(d, lv_1)
            g: R.Tensor((6,), dtype="float32") = R.sum(f, axis=[1], keepdims=False)
            R.output(g)
        return g
