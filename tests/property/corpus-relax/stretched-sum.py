# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(b: R.Tensor((), dtype="float32"), c: R.Tensor(("n",), dtype="float32"), x: R.Tensor(("n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            v0 = R.add(b, x)
            v1 = R.permute_dims(v0, axes=None)
            v2 = R.matmul(x, v1, out_dtype="void")
            v3 = R.permute_dims(x, axes=None)
            v4 = R.add(v3, c)
            v5 = R.matmul(x, v4, out_dtype="void")
            v6 = R.add(v2, v5)
            R.output(v6)
        return v6
