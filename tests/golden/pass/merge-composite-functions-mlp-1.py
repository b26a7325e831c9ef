# pass: MergeCompositeFunctions()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused_relax_matmul_relax_add(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32")) -> R.Tensor((4, 32), dtype="float32"):
        R.func_attr({"Composite": "own.matmul_add", "Primitive": 1})
        with R.dataflow():
            a: R.Tensor((4, 32), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            gv: R.Tensor((4, 32), dtype="float32") = R.add(a, b1)
            R.output(gv)
        return gv

    @R.function(private=True)
    def fused_relax_matmul_relax_add1(c: R.Tensor((4, 32), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32"), b2: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"Composite": "own.matmul_add", "Primitive": 1})
        with R.dataflow():
            d: R.Tensor((4, 8), dtype="float32") = R.matmul(c, w2, out_dtype="void")
            gv: R.Tensor((4, 8), dtype="float32") = R.add(d, b2)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32"), b2: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((4, 32), dtype="float32") = cls.fused_relax_matmul_relax_add(x, w1, b1)
            c: R.Tensor((4, 32), dtype="float32") = R.nn.relu(lv)
            gv: R.Tensor((4, 8), dtype="float32") = cls.fused_relax_matmul_relax_add1(c, w2, b2)
            R.output(gv)
        return gv
