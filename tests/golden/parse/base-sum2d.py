# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32, 64), "float32"), S: T.Buffer((1,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i, k, l in T.grid(1, 32, 64):
            with T.block("S"):
                v_i, v_k, v_l = T.axis.remap("SRR", [i, k, l])
                T.reads(A[v_k, v_l])
                T.writes(S[v_i])
                with T.init():
                    S[v_i] = T.float32(0.0)
                S[v_i] = S[v_i] + A[v_k, v_l]
