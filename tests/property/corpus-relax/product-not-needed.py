# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(sizes: R.Tensor(("n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            v1 = R.permute_dims(sizes, axes=None)
            t2 = v1, sizes
            v3 = t2[1]
            v4 = R.matmul(v3, v1, out_dtype="void")
            R.output(v1)
        return v1
