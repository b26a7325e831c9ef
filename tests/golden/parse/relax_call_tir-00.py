# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def bump(A: T.Buffer((T.int64(4),), "float32")):
        # with T.block("root"):
        for i in range(T.int64(4)):
            with T.block("b"):
                vi = T.axis.spatial(T.int64(4), i)
                T.reads(A[vi])
                T.writes(A[vi])
                A[vi] = A[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.bump, (x,), out_sinfo=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
        return y
