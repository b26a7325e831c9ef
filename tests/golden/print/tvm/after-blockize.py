# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 48), "float32"), D: T.Buffer((64, 48), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        C = T.alloc_buffer((64, 48))
        for i, j in T.grid(64, 48):
            with T.block("C_o"):
                v_i_o, v_j_o = T.axis.remap("SS", [i, j])
                v_k_o = T.axis.reduce(1, 0)
                T.reads(A[v_i_o, 0:32], B[0:32, v_j_o])
                T.writes(C[v_i_o, v_j_o])
                with T.init():
                    with T.block("C_init"):
                        T.reads()
                        T.writes(C[v_i_o, v_j_o])
                        C[v_i_o, v_j_o] = T.float32(0.0)
                for k in range(32):
                    with T.block("C"):
                        v_k_i = T.axis.reduce(32, k)
                        T.reads(C[v_i_o, v_j_o], A[v_i_o, v_k_i], B[v_k_i, v_j_o])
                        T.writes(C[v_i_o, v_j_o])
                        C[v_i_o, v_j_o] = C[v_i_o, v_j_o] + A[v_i_o, v_k_i] * B[v_k_i, v_j_o]
        for i, j in T.grid(64, 48):
            with T.block("D"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(C[v_i, v_j])
                T.writes(D[v_i, v_j])
                D[v_i, v_j] = T.max(C[v_i, v_j], T.float32(0.0))
