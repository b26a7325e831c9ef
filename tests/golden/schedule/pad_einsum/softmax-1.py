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
sch.reorder(l4, l5)
b6 = sch.get_block(name="M", func_name="main")
l7, l8 = sch.get_loops(block=b6)
b9 = sch.get_block(name="M", func_name="main")
l10, l11 = sch.get_loops(block=b9)
b12 = sch.cache_read(block=b9, read_buffer_index=0, storage_scope="shared")
b13 = sch.get_block(name="Y", func_name="main")
l14, l15 = sch.get_loops(block=b13)
b16 = sch.get_block(name="Y", func_name="main")
l17, l18 = sch.get_loops(block=b16)
b19 = sch.get_block(name="S", func_name="main")
l20, l21 = sch.get_loops(block=b19)
b22 = sch.get_block(name="S", func_name="main")
l23, l24 = sch.get_loops(block=b22)
l25, l26 = sch.split(loop=l24, factors=[4, None], preserve_unit_iters=True, disable_predication=False)
b27 = sch.get_block(name="S", func_name="main")
l28, l29, l30 = sch.get_loops(block=b27)
b31 = sch.get_block(name="S", func_name="main")
l32, l33, l34 = sch.get_loops(block=b31)
sch.bind(loop=l34, thread_axis="threadIdx.y")
b35 = sch.get_block(name="Y", func_name="main")
l36, l37 = sch.get_loops(block=b35)
b38 = sch.get_block(name="Y", func_name="main")
l39, l40 = sch.get_loops(block=b38)
sch.pad_einsum(block=b38, padding=[32, 32])
