# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 32), "float32"), M: T.Buffer((8,), "float32")):
        for i, k in T.grid(8, 32):
            with T.block("M"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(-1000)
                M[vi] = T.max(M[vi], A[vi, vk])

# steps
sch.reindex_cache_write("M", 0, "local", lambda i, k: (0, i))
