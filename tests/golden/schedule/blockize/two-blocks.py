# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((60, 31), "float32"), B: T.Buffer((31, 45), "float32"), F: T.Buffer((60, 45), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        C = T.alloc_buffer((60, 45))
        E = T.alloc_buffer((60, 45))
        for i, j, k in T.grid(60, 45, 31):
            with T.block("C"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                T.reads(A[v_i, v_k], B[v_k, v_j])
                T.writes(C[v_i, v_j])
                with T.init():
                    C[v_i, v_j] = T.float32(0.0)
                C[v_i, v_j] = C[v_i, v_j] + A[v_i, v_k] * B[v_k, v_j]
        for i, j in T.grid(60, 45):
            with T.block("E"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(C[v_i, v_j])
                T.writes(E[v_i, v_j])
                E[v_i, v_j] = C[v_i, v_j] + T.float32(1.5)
        for i, j in T.grid(60, 45):
            with T.block("F"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(E[v_i, v_j])
                T.writes(F[v_i, v_j])
                F[v_i, v_j] = T.exp(E[v_i, v_j]) * E[v_i, v_j]
# steps
b0 = sch.get_block("E", func_name="main")
l1, l2 = sch.get_loops(b0)
b3 = sch.get_block("F", func_name="main")
l4, l5 = sch.split(l1, factors=[None, 12])
sch.reverse_compute_at(b3, l4)
b6 = sch.blockize([b0, b3])
