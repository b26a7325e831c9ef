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
b0 = sch.get_block("C", func_name="main")
l1, l2, l3 = sch.get_loops(b0)
sch.reorder(l3, l2)
b8 = sch.get_block("C", func_name="main")
l9, l10, l11 = sch.get_loops(b8)
b12 = sch.decompose_reduction(b8, l9)
b13 = sch.get_block("C_update", func_name="main")
l14, l15, l16 = sch.get_loops(b13)
sch.reorder(l15, l16, l14)
b17 = sch.get_block("D", func_name="main")
l18, l19 = sch.get_loops(b17)
l20, l21 = sch.split(l18, factors=[4, None])
b22 = sch.get_block("C_update", func_name="main")
l23, l24, l25 = sch.get_loops(b22)
b26 = sch.cache_read(b22, 0, "local")
