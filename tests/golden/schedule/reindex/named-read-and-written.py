# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((9, 12), "float32"), S: T.Buffer((9, 1), "float32")):
        for i, j, k in T.grid(9, 1, 12):
            with T.block("S"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(S[vi, vj], A[vi, vk])
                T.writes(S[vi, vj])
                with T.init():
                    S[vi, vj] = T.float32(0)
                S[vi, vj] = S[vi, vj] + A[vi, vk]

# steps
sch.reindex("S", "S")
