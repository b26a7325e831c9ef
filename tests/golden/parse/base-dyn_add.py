# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(var_A: T.handle, var_B: T.handle, var_D: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        A = T.match_buffer(var_A, (n, 128))
        B = T.match_buffer(var_B, (n, 128))
        D = T.match_buffer(var_D, (n, 128))
        # with T.block("root"):
        C = T.alloc_buffer((n, 128))
        for i, j in T.grid(n, 128):
            with T.block("C"):
                v_i = T.axis.spatial(n, i)
                v_j = T.axis.spatial(128, j)
                T.reads(A[v_i, v_j], B[v_i, v_j])
                T.writes(C[v_i, v_j])
                C[v_i, v_j] = A[v_i, v_j] + B[v_i, v_j]
        for i, j in T.grid(n, 128):
            with T.block("D"):
                v_i = T.axis.spatial(n, i)
                v_j = T.axis.spatial(128, j)
                T.reads(C[v_i, v_j])
                T.writes(D[v_i, v_j])
                D[v_i, v_j] = T.tanh(C[v_i, v_j])
