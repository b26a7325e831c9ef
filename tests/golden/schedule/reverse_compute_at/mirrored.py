# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((12, 12), "float32"), Z: T.Buffer((12, 12), "float32")):
        Y = T.alloc_buffer((12, 12))
        for i, j in T.grid(12, 12):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[11 - vi, 11 - vj] = X[vi, vj] + T.float32(1)
        for i, j in T.grid(12, 12):
            with T.block("Z"):
                vi, vj = T.axis.remap("SS", [i, j])
                Z[vi, vj] = Y[vj, vi] + T.float32(2)
# steps
sch.reverse_compute_at(sch.get_block("Z"), sch.get_loops(sch.get_block("Y"))[0])
