# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((100, 30), "float32"), C: T.Buffer((100, 30), "float32")):
        # with T.block("root"):
        B = T.alloc_buffer((100, 30))
        for i, j0, j1 in T.grid(100, 4, 8):
            with T.block("B"):
                vi = T.axis.spatial(100, i)
                vj = T.axis.spatial(30, j0 * 8 + j1)
                T.where(j0 * 8 + j1 < 30)
                T.reads(A[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vi, vj] + T.float32(1.0)
        for i, j in T.grid(100, 30):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = B[vi, vj] * B[vi, vj]

# steps
b0 = sch.get_block(name="C", func_name="main")
l1, l2 = sch.get_loops(block=b0)
b3 = sch.get_block(name="C", func_name="main")
l4, l5 = sch.get_loops(block=b3)
sch.unroll(loop=l5)
b6 = sch.get_block(name="B", func_name="main")
l7, l8, l9 = sch.get_loops(block=b6)
b10 = sch.get_block(name="B", func_name="main")
l11, l12, l13 = sch.get_loops(block=b10)
b14 = sch.cache_write(block=b10, write_buffer_index=0, storage_scope="shared")
