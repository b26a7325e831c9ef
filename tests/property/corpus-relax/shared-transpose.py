# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(sizes: R.Tensor(("n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        v9 = sizes
        with R.dataflow():
            v10 = R.permute_dims(v9, axes=None)
            v11 = R.matmul(v9, v10, out_dtype="void")
            t15 = v9, v11
            lv3 = t15[0]
            v18 = R.matmul(lv3, v10, out_dtype="void")
            R.output(v11)
        return v11
