# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
        for i in range(24):
            with T.block("B"):
                vi = T.axis.spatial(24, i)
                B[vi] = A[vi] + B[T.max(vi - 1, 0)]

# steps
l = sch.get_loops("B")
sch.decompose_padding("B", l[0])
