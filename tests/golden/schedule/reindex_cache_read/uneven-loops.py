# The extent of a copied loop names a loop around it: the copy names that one's copy.
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        for i, r in T.grid(16, 2):
            for j in range(i + r):
                with T.block("C"):
                    vi = T.axis.spatial(16, i)
                    vj = T.axis.spatial(16, j)
                    T.where(j < 16)
                    T.reads(A[vi, vj])
                    T.writes(C[vi, vj])
                    C[vi, vj] = A[vi, vj] + T.float32(1)

# steps
sch.reindex_cache_read("C", 0, "shared", lambda i, j: (j, i))
