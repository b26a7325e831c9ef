# D22 forms, operators of Python, nested calls, attributes by position
@tvm.script.ir_module
class MyModule:
    @R.function
    def main(x: Tensor((1, 784), "float32"), w: Tensor((128, 784), "float32"), b: R.Tensor((128,), "float32")):
        with relax.dataflow():
            lv0 = R.call_tir("env.linear", (x, w, b), (1, 128), dtype="float32")
            lv1 = relax.op.nn.relu(lv0 + b)
            out = R.multiply(R.exp(lv1), lv1)
            relax.output(out)
        return out

    @R.function
    def attrs(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2,), "float32"):
        y: R.Tensor((2,), "float32") = R.sum(x, 1)
        z: R.Tensor((2, 3), "float32") = R.nn.softmax(x, axis=1)
        s: R.Tensor((3, 2), "float32") = R.reshape(x, (3, 2))
        return y
