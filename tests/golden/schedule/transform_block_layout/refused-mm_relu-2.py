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
b0 = sch.get_block("D", func_name="main")
l1, l2 = sch.get_loops(b0)
sch.bind(l2, "blockIdx.x")
b12 = sch.get_block("C", func_name="main")
l13, l14, l15 = sch.get_loops(b12)
sch.set_scope(b12, 0, "shared")
b16 = sch.get_block("C", func_name="main")
l17, l18, l19 = sch.get_loops(b16)
b20 = sch.get_block("D", func_name="main")
l21, l22 = sch.get_loops(b20)
sch.reverse_compute_at(b16, l22)
b23 = sch.get_block("C", func_name="main")
l24, l25, l26, l27, l28 = sch.get_loops(b23)
sch.transform_block_layout(b23, lambda i0, i1, i2: (i2, i1, i0,))
