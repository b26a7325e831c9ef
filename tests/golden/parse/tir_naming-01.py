# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(T_add: T.Buffer((8,), "float32"), v_: T.Buffer((8,), "float32")):
        # with T.block("root"):
        for ax0 in range(8):
            with T.block("T_add"):
                v_ax0 = T.axis.spatial(8, ax0)
                T.reads(T_add[v_ax0])
                T.writes(v_[v_ax0])
                v_[v_ax0] = T_add[v_ax0]
