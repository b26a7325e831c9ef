# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((24, 1), "float32"), C: T.Buffer((24, 1), "float32")):
        B = T.alloc_buffer((24, 1))
        for i, j in T.grid(24, 1):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(24, 16):
            with T.block("C"):
                vi = T.axis.spatial(24, i)
                vj = T.axis.spatial(1, j)
                T.where(j < 1)
                C[vi, vj] = B[vi, vj] + T.float32(1)
# steps
sch.compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("C"))[0])
