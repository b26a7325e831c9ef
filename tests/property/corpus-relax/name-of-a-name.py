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
            v1 = R.permute_dims(sizes, axes=[1, 0])
            v3 = R.match_cast(v1, R.Tensor((m, n), dtype="float32"))
            v4 = R.concat((v3, v3), axis=1)
            R.output(v4)
        return v4
