# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 32, 24), "float32"), B: T.Buffer((4, 24, 40), "float32"), C: T.Buffer((4, 32, 1, 40), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        C_local = T.alloc_buffer((4, 32, 1, 40), scope="local")
        for b, i in T.grid(4, 32):
            for j in T.thread_binding(40, thread="blockIdx.x"):
                for k in range(24):
                    with T.block("C"):
                        v_b, v_i, v_j, v_k = T.axis.remap("SSSR", [b, i, j, k])
                        T.reads(A[v_b, v_i, v_k], B[v_b, v_k, v_j])
                        T.writes(C_local[v_b, v_i, 0, v_j])
                        with T.init():
                            C_local[v_b, v_i, 0, v_j] = T.float32(0.0)
                        C_local[v_b, v_i, 0, v_j] = C_local[v_b, v_i, 0, v_j] + A[v_b, v_i, v_k] * B[v_b, v_k, v_j]
        for ax0, ax1, ax2, ax3 in T.grid(4, 32, 1, 40):
            with T.block("C_local"):
                v0, v1, v2, v3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(C_local[v0, v1, v2, v3])
                T.writes(C[v0, v1, v2, v3])
                C[v0, v1, v2, v3] = C_local[v0, v1, v2, v3]
