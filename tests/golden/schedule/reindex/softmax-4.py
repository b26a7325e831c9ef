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
b0 = sch.get_block(name="X", func_name="main")
l1, l2 = sch.get_loops(block=b0)
b3 = sch.get_block(name="X", func_name="main")
l4, l5 = sch.get_loops(block=b3)
b6 = sch.cache_read(block=b3, read_buffer_index=0, storage_scope="shared")
b7 = sch.get_block(name="X", func_name="main")
l8, l9 = sch.get_loops(block=b7)
b10 = sch.get_block(name="A_shared", func_name="main")
l11, l12 = sch.get_loops(block=b10)
b13 = sch.get_block(name="X", func_name="main")
l14, l15 = sch.get_loops(block=b13)
b16 = sch.get_block(name="A_shared", func_name="main")
l17, l18 = sch.get_loops(block=b16)
l19 = sch.merge(l15, l18)
b20 = sch.get_block(name="X", func_name="main")
l21, l22 = sch.get_loops(block=b20)
b23 = sch.get_block(name="X", func_name="main")
l24, l25 = sch.get_loops(block=b23)
l26 = sch.add_unit_loop(block_or_loop=l24)
b27 = sch.get_block(name="S", func_name="main")
l28, l29 = sch.get_loops(block=b27)
b30 = sch.get_block(name="S", func_name="main")
l31, l32 = sch.get_loops(block=b30)
sch.bind(loop=l31, thread_axis="threadIdx.x")
b33 = sch.get_block(name="X", func_name="main")
l34, l35, l36 = sch.get_loops(block=b33)
b37 = sch.get_block(name="X", func_name="main")
l38, l39, l40 = sch.get_loops(block=b37)
b41 = sch.reindex(block=b37, buffer=("write", 0))
