# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), S: T.Buffer((16,), "float32"), M: T.Buffer((16,), "float32")):
        for i, k in T.grid(16, 24):
            with T.block("S"):
                vi = T.axis.spatial(16, i)
                vk = T.axis.reduce(24, k)
                vr = T.axis.reduce(16, i)
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + A[vr, vk]
        for i, k in T.grid(16, 24):
            with T.block("M"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(1)
                M[vi] = M[vi] - A[vi, vk]

# steps
l = sch.get_loops("M")
sch.rfactor(l[1], 0)
