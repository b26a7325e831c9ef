# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 16), "float32"), C: T.Buffer((4, 16), "float32")):
        B = T.alloc_buffer((4,))
        table = T.allocate_const([1.0, 2.0, 3.0, 4.0], "float32", [4])
        offset = T.decl_buffer((4,), data=table)
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = T.float32(10) + offset[vi]
        for i, j in T.grid(4, 16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi] + A[vi, vj]
# steps
sch.reverse_compute_at(sch.get_block("C"), sch.get_loops(sch.get_block("B"))[0])
