# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 48), "float32"), D: T.Buffer((64, 48), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        C = T.alloc_buffer((64, 48))
        for i, j, k in T.grid(64, 48, 32):
            with T.block("C"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                T.reads(A[v_i, v_k], B[v_k, v_j])
                T.writes(C[v_i, v_j])
                with T.init():
                    C[v_i, v_j] = T.float32(0.0)
                C[v_i, v_j] = C[v_i, v_j] + A[v_i, v_k] * B[v_k, v_j]
        for i, j in T.grid(64, 48):
            with T.block("D"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(C[v_i, v_j])
                T.writes(D[v_i, v_j])
                D[v_i, v_j] = T.max(C[v_i, v_j], T.float32(0.0))

# steps
b0 = sch.get_block(name="C", func_name="main")
l1, l2, l3 = sch.get_loops(block=b0)
b4 = sch.get_block(name="C", func_name="main")
l5, l6, l7 = sch.get_loops(block=b4)
l8, l9 = sch.split(loop=l6, factors=[12, None], preserve_unit_iters=True, disable_predication=False)
b10 = sch.get_block(name="D", func_name="main")
l11, l12 = sch.get_loops(block=b10)
b13 = sch.get_block(name="D", func_name="main")
l14, l15 = sch.get_loops(block=b13)
l16, l17 = sch.split(loop=l14, factors=[4, None], preserve_unit_iters=True, disable_predication=False)
b18 = sch.get_block(name="D", func_name="main")
l19, l20, l21 = sch.get_loops(block=b18)
b22 = sch.get_block(name="D", func_name="main")
l23, l24, l25 = sch.get_loops(block=b22)
sch.vectorize(loop=l25)
