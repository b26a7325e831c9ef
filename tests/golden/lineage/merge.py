# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 128), "float32"), Y: T.Buffer((16, 128), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        M = T.alloc_buffer((16,))
        X = T.alloc_buffer((16, 128))
        S = T.alloc_buffer((16,))
        for i, k in T.grid(16, 128):
            with T.block("M"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                T.reads(A[v_i, v_k])
                T.writes(M[v_i])
                with T.init():
                    M[v_i] = T.float32(-340282346638528859811704183484516925440.0)
                M[v_i] = T.max(M[v_i], A[v_i, v_k])
        for i, j in T.grid(16, 128):
            with T.block("X"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(A[v_i, v_j], M[v_i])
                T.writes(X[v_i, v_j])
                X[v_i, v_j] = T.exp(A[v_i, v_j] - M[v_i])
        for i, k in T.grid(16, 128):
            with T.block("S"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                T.reads(X[v_i, v_k])
                T.writes(S[v_i])
                with T.init():
                    S[v_i] = T.float32(0.0)
                S[v_i] = S[v_i] + X[v_i, v_k]
        for i, j in T.grid(16, 128):
            with T.block("Y"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(X[v_i, v_j], S[v_i])
                T.writes(Y[v_i, v_j])
                Y[v_i, v_j] = X[v_i, v_j] / S[v_i]

# steps
b0 = sch.get_block(name="Y", func_name="main")
l1, l2 = sch.get_loops(block=b0)
b3 = sch.get_block(name="M", func_name="main")
l4, l5 = sch.get_loops(block=b3)
b6 = sch.get_block(name="Y", func_name="main")
l7, l8 = sch.get_loops(block=b6)
b9 = sch.get_block(name="M", func_name="main")
l10, l11 = sch.get_loops(block=b9)
l12 = sch.merge(l8, l11)
