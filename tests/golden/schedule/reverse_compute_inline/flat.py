# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((12, 20), "float32"), Y: T.Buffer((240,), "float32")):
        B = T.alloc_buffer((20, 12))
        for i, j in T.grid(20, 12):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = X[vj, vi] + T.float32(1)
        for i in range(240):
            with T.block("Y"):
                vi = T.axis.spatial(240, i)
                Y[vi] = B[vi // 12, vi % 12]
# steps
sch.reverse_compute_inline("Y")
