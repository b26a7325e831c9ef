# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((100,), "float32"), C: T.Buffer((98,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        B = T.alloc_buffer((100,))
        for i in range(100):
            with T.block("B"):
                v_i = T.axis.spatial(100, i)
                T.reads(A[v_i])
                T.writes(B[v_i])
                B[v_i] = A[v_i] * T.float32(2.0)
        for i in range(98):
            with T.block("C"):
                v_i = T.axis.spatial(98, i)
                T.reads(B[v_i:v_i + 3])
                T.writes(C[v_i])
                C[v_i] = B[v_i] + B[v_i + 1] + B[v_i + 2]

# steps
b0 = sch.get_block(name="B", func_name="main")
l1, = sch.get_loops(block=b0)
b2 = sch.get_block(name="B", func_name="main")
l3, = sch.get_loops(block=b2)
l4, l5 = sch.split(loop=l3, factors=[None, 7], preserve_unit_iters=True, disable_predication=False)
b6 = sch.get_block(name="B", func_name="main")
l7, l8 = sch.get_loops(block=b6)
b9 = sch.get_block(name="B", func_name="main")
l10, l11 = sch.get_loops(block=b9)
sch.vectorize(loop=l10)
b12 = sch.get_block(name="B", func_name="main")
l13, l14 = sch.get_loops(block=b12)
b15 = sch.get_block(name="B", func_name="main")
l16, l17 = sch.get_loops(block=b15)
b18 = sch.reindex(block=b15, buffer=("read", 0))
b19 = sch.get_block(name="B", func_name="main")
l20, l21 = sch.get_loops(block=b19)
b22 = sch.get_block(name="B", func_name="main")
l23, l24 = sch.get_loops(block=b22)
b25 = sch.cache_write(block=b22, write_buffer_index=0, storage_scope="shared")
