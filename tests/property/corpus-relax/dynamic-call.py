# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(sizes: R.Tensor(("n", "m"), dtype="float32")):
        n = T.int64()
        m = T.int64()
        v2 = R.repeat(sizes, repeats=2, axis=0)
        v3 = R.expand_dims(v2, axis=[0])
        return v3
