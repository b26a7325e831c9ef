# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((40,), "float32"), B: T.Buffer((10, 10), "float32")):
        for i, j in T.grid(10, 10):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi * 3 + T.min(vj, 4)] - A[vi * 3 + T.min(vj, 4) + 1]

# steps
sch.cache_index("B", "local", 2)
