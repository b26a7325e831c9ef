# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((T.int64(24),), "float32"), B: T.Buffer((T.int64(24),), "float32")):
        for i in range(T.int64(24)):
            with T.block("B"):
                vi = T.axis.spatial(T.int64(24), i)
                B[vi] = A[vi] * T.float32(2)

# steps
sch.split(sch.get_loops("B")[0], factors=[T.int64(2), None, 4])
