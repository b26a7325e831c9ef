# pass: DataflowUseInplaceCalls()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        if c:
            a: R.Tensor((4,), dtype="float32") = R.exp(x)
            b_then: R.Tensor((4,), dtype="float32") = R.add(a, x)
            b: R.Tensor((4,), dtype="float32") = b_then
        else:
            a: R.Tensor((4,), dtype="float32") = R.negative(x)
            b_else: R.Tensor((4,), dtype="float32") = R.multiply(a, x)
            b: R.Tensor((4,), dtype="float32") = b_else
        d: R.Tensor((4,), dtype="float32") = R.nn.relu(b)
        return d