# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), S: T.Buffer((16, 24), "float32"), D: T.Buffer((16, 24), "float32")):
        for i, k in T.grid(16, 24):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi, vk] = T.float32(0)
                S[vi, vk] = S[vi, vk] + A[vi, vk]
        for i, k in T.grid(16, 24):
            with T.block("D"):
                vi, vk = T.axis.remap("SS", [i, k])
                D[vi, vk] = S[vi, vk]

# steps
l = sch.get_loops("S")
sch.decompose_reduction("S", l[0])
