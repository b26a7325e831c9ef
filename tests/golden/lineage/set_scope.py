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
sch.set_scope(block=b4, buffer_index=0, storage_scope="shared")
