# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((12,), "float32"), C: T.Buffer((12,), "float32")):
        B = T.alloc_buffer((12,))
        for i in range(6):
            with T.block("low"):
                vi = T.axis.spatial(6, i)
                B[vi] = A[vi]
        for i in range(6):
            with T.block("high"):
                vi = T.axis.spatial(6, i)
                B[vi + 6] = A[vi] + A[vi + 6]
        for i in range(12):
            with T.block("C"):
                vi = T.axis.spatial(12, i)
                C[vi] = B[vi]

# steps
sch.reindex_cache_write("low", 0, "local", lambda i: i)
