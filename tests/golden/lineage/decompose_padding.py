# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(I_1: T.Buffer((1, 8, 14, 14), "float32"), W: T.Buffer((16, 8, 3, 3), "float32"), R_1: T.Buffer((1, 16, 14, 14), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        P = T.alloc_buffer((1, 8, 16, 16))
        O = T.alloc_buffer((1, 16, 14, 14))
        for n, c, h, w in T.grid(1, 8, 16, 16):
            with T.block("P"):
                v_n, v_c, v_h, v_w = T.axis.remap("SSSS", [n, c, h, w])
                T.reads(I_1[v_n, v_c, v_h - 1, v_w - 1])
                T.writes(P[v_n, v_c, v_h, v_w])
                P[v_n, v_c, v_h, v_w] = T.if_then_else(1 <= v_h and v_h < 15 and 1 <= v_w and v_w < 15, I_1[v_n, v_c, v_h - 1, v_w - 1], T.float32(0.0))
        for n, f, h, w, rc, rh, rw in T.grid(1, 16, 14, 14, 8, 3, 3):
            with T.block("O"):
                v_n, v_f, v_h, v_w, v_rc, v_rh, v_rw = T.axis.remap("SSSSRRR", [n, f, h, w, rc, rh, rw])
                T.reads(P[v_n, v_rc, v_h + v_rh, v_w + v_rw], W[v_f, v_rc, v_rh, v_rw])
                T.writes(O[v_n, v_f, v_h, v_w])
                with T.init():
                    O[v_n, v_f, v_h, v_w] = T.float32(0.0)
                O[v_n, v_f, v_h, v_w] = O[v_n, v_f, v_h, v_w] + P[v_n, v_rc, v_h + v_rh, v_w + v_rw] * W[v_f, v_rc, v_rh, v_rw]
        for n, f, h, w in T.grid(1, 16, 14, 14):
            with T.block("R"):
                v_n, v_f, v_h, v_w = T.axis.remap("SSSS", [n, f, h, w])
                T.reads(O[v_n, v_f, v_h, v_w])
                T.writes(R_1[v_n, v_f, v_h, v_w])
                R_1[v_n, v_f, v_h, v_w] = T.max(O[v_n, v_f, v_h, v_w], T.float32(0.0))
# steps
b0 = sch.get_block("P", func_name="main")
l1, l2, l3, l4 = sch.get_loops(block=b0)
b5 = sch.decompose_padding(block=b0, loop=l2)
