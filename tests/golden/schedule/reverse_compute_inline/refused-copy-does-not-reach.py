# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 3), "float32"), E: T.Buffer((10, 3), "float32")):
        D = T.alloc_buffer((8, 3))
        for i, j in T.grid(8, 3):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = A[vi, vj] - T.float32(3)
        for i, j in T.grid(10, 3):
            with T.block("E"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = T.if_then_else(1 <= vi and vi < 9, D[vi - 1, vj], T.float32(0))

# steps
sch.write_at(sch.get_loops("D")[0], "D", 0, "local")
sch.reverse_compute_inline("E")
