# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((T.int64(12), T.int64(8)), "float32"), Y: T.Buffer((T.int64(12), T.int64(8)), "float32")):
        for i, j in T.grid(12, 8):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * T.float32(3)

# steps
sch.cache_read("scale", 0, "shared")
