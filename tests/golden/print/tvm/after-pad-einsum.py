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
        A_shared = T.alloc_buffer((16, 128), scope="shared")
        X_pad = T.alloc_buffer((32, 128))
        S_pad = T.alloc_buffer((32,))
        Y_pad = T.alloc_buffer((32, 128))
        for ax0, ax1 in T.grid(16, 128):
            with T.block("A_shared"):
                v0, v1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(A[v0, v1])
                T.writes(A_shared[v0, v1])
                A_shared[v0, v1] = A[v0, v1]
        for i, k in T.grid(16, 128):
            with T.block("M"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                T.reads(A_shared[v_i, v_k])
                T.writes(M[v_i])
                with T.init():
                    M[v_i] = T.float32(-340282346638528859811704183484516925440.0)
                M[v_i] = T.max(M[v_i], A_shared[v_i, v_k])
        for i, j in T.grid(16, 128):
            with T.block("X"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(A_shared[v_i, v_j], M[v_i])
                T.writes(X[v_i, v_j])
                X[v_i, v_j] = T.exp(A_shared[v_i, v_j] - M[v_i])
        for i, k_0 in T.grid(16, 4):
            for k_1 in T.thread_binding(32, thread="threadIdx.y"):
                with T.block("S"):
                    v_i = T.axis.spatial(16, i)
                    v_k = T.axis.reduce(128, k_0 * 32 + k_1)
                    T.reads(X[v_i, v_k])
                    T.writes(S[v_i])
                    with T.init():
                        S[v_i] = T.float32(0.0)
                    S[v_i] = S[v_i] + X[v_i, v_k]
        for i0, i1 in T.grid(32, 128):
            with T.block("X_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(X[v0, v1])
                T.writes(X_pad[v0, v1])
                X_pad[v0, v1] = T.if_then_else(v0 < 16, X[v0, v1], T.float32(0.0))
        for i0 in range(32):
            with T.block("S_pad"):
                v0 = T.axis.spatial(32, i0)
                T.reads(S[v0])
                T.writes(S_pad[v0])
                S_pad[v0] = T.if_then_else(v0 < 16, S[v0], T.float32(0.0))
        for i, j in T.grid(32, 128):
            with T.block("Y"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(X_pad[v_i, v_j], S_pad[v_i])
                T.writes(Y_pad[v_i, v_j])
                Y_pad[v_i, v_j] = X_pad[v_i, v_j] / S_pad[v_i]
        for i0, i1 in T.grid(16, 128):
            with T.block("Y_pad"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(Y_pad[v0, v1])
                T.writes(Y[v0, v1])
                Y[v0, v1] = Y_pad[v0, v1]
