# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), S: T.Buffer((16,), "float32")):
        for i, k in T.grid(16, 24):
            with T.block("S"):
                vi = T.axis.opaque(16, i)
                vk = T.axis.reduce(24, k)
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + A[vi, vk]

# steps
l = sch.get_loops("S")
sch.decompose_reduction("S", l[0])
