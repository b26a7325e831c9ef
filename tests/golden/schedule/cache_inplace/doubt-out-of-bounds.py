# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((30,), "float32"), D: T.Buffer((30,), "float32")):
        for i_0, i_1 in T.grid(4, 8):
            with T.block("step"):
                vi = T.axis.spatial(30, i_0 * 8 + i_1)
                T.where(i_0 * 8 + i_1 < 30)
                D[vi] = D[vi] * A[vi]

# steps
sch.cache_inplace("step", 0, "local")
