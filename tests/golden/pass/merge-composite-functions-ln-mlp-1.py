# pass: MergeCompositeFunctions()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused_relax_matmul(n: R.Tensor((3, 20), dtype="float32"), w: R.Tensor((20, 10), dtype="float32")) -> R.Tensor((3, 10), dtype="float32"):
        R.func_attr({"Composite": "own.matmul", "Primitive": 1})
        with R.dataflow():
            gv: R.Tensor((3, 10), dtype="float32") = R.matmul(n, w, out_dtype="void")
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((3, 20), dtype="float32"), g: R.Tensor((20,), dtype="float32"), be: R.Tensor((20,), dtype="float32"), w: R.Tensor((20, 10), dtype="float32"), b: R.Tensor((10,), dtype="float32")) -> R.Tensor((3, 1), dtype="float32"):
        cls = Module
        with R.dataflow():
            n: R.Tensor((3, 20), dtype="float32") = R.nn.layer_norm(x, g, be, axes=[-1], epsilon=1.0000000000000001e-05, center=True, scale=True)
            lv: R.Tensor((3, 10), dtype="float32") = cls.fused_relax_matmul(n, w)
            h1: R.Tensor((3, 10), dtype="float32") = R.add(lv, b)
            a: R.Tensor((3, 10), dtype="float32") = R.nn.silu(h1)
            m: R.Tensor((3, 1), dtype="float32") = R.mean(a, axis=[1], keepdims=True)
            R.output(m)
        return m
