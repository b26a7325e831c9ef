# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 32), "float32"), M: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.block("M"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi, 0:32])
                T.writes(M[vi])
                M[vi] = A[vi, 0] + A[vi, 31]

# steps
sch.reindex_cache_read("M", 0, "local", lambda i: i)
