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
b0 = sch.get_block(name="C", func_name="main")
l1, = sch.get_loops(block=b0)
b2 = sch.get_block(name="C", func_name="main")
l3, = sch.get_loops(block=b2)
sch.reorder(l3)
b4 = sch.get_block(name="B", func_name="main")
l5, = sch.get_loops(block=b4)
b6 = sch.get_block(name="B", func_name="main")
l7, = sch.get_loops(block=b6)
b8 = sch.get_block(name="B", func_name="main")
l9, = sch.get_loops(block=b8)
b10 = sch.get_block(name="B", func_name="main")
l11, = sch.get_loops(block=b10)
l12 = sch.fuse(l11, preserve_unit_iters=True)
b13 = sch.get_block(name="B", func_name="main")
l14, = sch.get_loops(block=b13)
b15 = sch.get_block(name="B", func_name="main")
l16, = sch.get_loops(block=b15)
sch.pad_einsum(block=b15, padding=[8])
