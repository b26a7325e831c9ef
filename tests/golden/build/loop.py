# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def step(k: R.Tensor((), dtype="int32"), x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        c: R.Tensor((), dtype="bool") = R.greater(k, R.const(0, "int32"))
        if c:
            k1: R.Tensor((), dtype="int32") = R.subtract(k, R.const(1, "int32"))
            y: R.Tensor((3,), dtype="float32") = R.multiply(x, R.const(1.5, "float32"))
            r_then: R.Tensor((3,), dtype="float32") = cls.step(k1, y)
            r: R.Tensor((3,), dtype="float32") = r_then
        else:
            r: R.Tensor((3,), dtype="float32") = x
        return r

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        a: R.Tensor((3,), dtype="float32") = cls.step(R.const(4, "int32"), x)
        return a
