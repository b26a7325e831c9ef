# pass: FuseOpsByPattern([("own.exp_add", is_op("relax.add")(is_op("relax.exp")(wildcard()), wildcard())), ("own.tanh", is_op("relax.tanh")(wildcard()))], bind_constants=True, annotate_codegen=True)
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6, 10), dtype="float32"), y: R.Tensor((6, 10), dtype="float32")) -> R.Tensor((6,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((6, 10), dtype="float32") = R.exp(x)
            b: R.Tensor((6, 10), dtype="float32") = R.add(a, y)
            c: R.Tensor((6, 10), dtype="float32") = R.multiply(a, y)
            d: R.Tensor((6, 10), dtype="float32") = R.subtract(b, c)
            e: R.Tensor((6, 10), dtype="float32") = R.tanh(b)
            f: R.Tensor((6, 10), dtype="float32") = R.add(d, e)
            g: R.Tensor((6,), dtype="float32") = R.sum(f, axis=[1], keepdims=False)
            R.output(g)
        return g
