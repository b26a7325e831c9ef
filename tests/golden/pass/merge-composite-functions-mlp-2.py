# pass: MergeCompositeFunctions()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused_relax_matmul(lv: R.Tensor((4, 32), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"Composite": "own.matmul", "Primitive": 1})
        with R.dataflow():
            gv: R.Tensor((4, 8), dtype="float32") = R.matmul(lv, w2, out_dtype="void")
            R.output(gv)
        return gv

    @R.function(private=True)
    def fused_relax_matmul_relax_add_relax_nn_relu(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32")) -> R.Tensor((4, 32), dtype="float32"):
        R.func_attr({"Composite": "own.mar", "Primitive": 1})
        with R.dataflow():
            a: R.Tensor((4, 32), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            b: R.Tensor((4, 32), dtype="float32") = R.add(a, b1)
            gv: R.Tensor((4, 32), dtype="float32") = R.nn.relu(b)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32"), b2: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((4, 32), dtype="float32") = cls.fused_relax_matmul_relax_add_relax_nn_relu(x, w1, b1)
            lv_1: R.Tensor((4, 8), dtype="float32") = cls.fused_relax_matmul(lv, w2)
            e: R.Tensor((4, 8), dtype="float32") = R.add(lv_1, b2)
            R.output(e)
        return e
