# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32,), "float32"), D: T.Buffer((32,), "float32")):
        for i in range(32):
            with T.block("step"):
                vi = T.axis.spatial(32, i)
                D[vi] = D[vi] * A[vi]

# steps
sch.cache_inplace("step", "D", "shared")
