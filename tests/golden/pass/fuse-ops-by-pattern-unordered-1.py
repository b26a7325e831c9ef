# pass: FuseOpsByPattern([("own.exp_add", is_op("relax.add")(is_op("relax.exp")(wildcard()), wildcard())), ("own.tanh", is_op("relax.tanh")(wildcard()))])
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b: R.Tensor((4,), dtype="float32") = R.exp(y)
            c: R.Tensor((4,), dtype="float32") = R.tanh(a)
            d: R.Tensor((4,), dtype="float32") = R.tanh(b)
            e: R.Tensor((4,), dtype="float32") = R.add(c, d)
            R.output(e)
        return e
