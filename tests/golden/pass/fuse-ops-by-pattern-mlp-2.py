# pass: FuseOpsByPattern([("own.matmul_add", is_op("relax.add")(is_op("relax.matmul")(wildcard(), wildcard()), wildcard()))], bind_constants=True, annotate_codegen=True)
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 32), dtype="float32"), b1: R.Tensor((32,), dtype="float32"), w2: R.Tensor((32, 8), dtype="float32"), b2: R.Tensor((8,), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4, 32), dtype="float32") = R.matmul(x, w1, out_dtype="void")
            b: R.Tensor((4, 32), dtype="float32") = R.add(a, b1)
            c: R.Tensor((4, 32), dtype="float32") = R.nn.relu(b)
            d: R.Tensor((4, 8), dtype="float32") = R.matmul(c, w2, out_dtype="void")
            e: R.Tensor((4, 8), dtype="float32") = R.add(d, b2)
            R.output(e)
        return e
