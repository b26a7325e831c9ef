# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 32, 24), "float32"), B: T.Buffer((4, 24, 40), "float32"), C: T.Buffer((4, 32, 40), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for b, i, j, k in T.grid(4, 32, 40, 24):
            with T.block("C"):
                v_b, v_i, v_j, v_k = T.axis.remap("SSSR", [b, i, j, k])
                T.reads(A[v_b, v_i, v_k], B[v_b, v_k, v_j])
                T.writes(C[v_b, v_i, v_j])
                with T.init():
                    C[v_b, v_i, v_j] = T.float32(0.0)
                C[v_b, v_i, v_j] = C[v_b, v_i, v_j] + A[v_b, v_i, v_k] * B[v_b, v_k, v_j]

# steps
b0 = sch.get_block(name="C", func_name="main")
l1, l2, l3, l4 = sch.get_loops(block=b0)
b5 = sch.get_block(name="C", func_name="main")
l6, l7, l8, l9 = sch.get_loops(block=b5)
sch.reorder(l9, l6)
b10 = sch.get_block(name="C", func_name="main")
l11, l12, l13, l14 = sch.get_loops(block=b10)
b15 = sch.get_block(name="C", func_name="main")
l16, l17, l18, l19 = sch.get_loops(block=b15)
b20 = sch.get_block(name="C", func_name="main")
l21, l22, l23, l24 = sch.get_loops(block=b20)
b25 = sch.get_block(name="C", func_name="main")
l26, l27, l28, l29 = sch.get_loops(block=b25)
sch.vectorize(loop=l29)
