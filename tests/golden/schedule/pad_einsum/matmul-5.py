# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 48), "float32"), C: T.Buffer((64, 48), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i, j, k in T.grid(64, 48, 32):
            with T.block("C"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                T.reads(A[v_i, v_k], B[v_k, v_j])
                T.writes(C[v_i, v_j])
                with T.init():
                    C[v_i, v_j] = T.float32(0.0)
                C[v_i, v_j] = C[v_i, v_j] + A[v_i, v_k] * B[v_k, v_j]

# steps
b0 = sch.get_block(name="C", func_name="main")
l1, l2, l3 = sch.get_loops(block=b0)
b4 = sch.get_block(name="C", func_name="main")
l5, l6, l7 = sch.get_loops(block=b4)
sch.annotate(block_or_loop=b4, ann_key="k0", ann_val=[1, 2])
b8 = sch.get_block(name="C", func_name="main")
l9, l10, l11 = sch.get_loops(block=b8)
b12 = sch.get_block(name="C", func_name="main")
l13, l14, l15 = sch.get_loops(block=b12)
l16, l17 = sch.split(loop=l14, factors=[3, None], preserve_unit_iters=True, disable_predication=False)
b18 = sch.get_block(name="C", func_name="main")
l19, l20, l21, l22 = sch.get_loops(block=b18)
b23 = sch.get_block(name="C", func_name="main")
l24, l25, l26, l27 = sch.get_loops(block=b23)
sch.reorder(l24, l27)
b28 = sch.get_block(name="C", func_name="main")
l29, l30, l31, l32 = sch.get_loops(block=b28)
b33 = sch.get_block(name="C", func_name="main")
l34, l35, l36, l37 = sch.get_loops(block=b33)
sch.pad_einsum(block=b33, padding=[1, 16, 32])
