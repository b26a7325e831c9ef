# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 32), "float32"), M: T.Buffer((8,), "float32")):
        for i, k in T.grid(8, 32):
            with T.block("M"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32(0)
                M[vi] = M[vi] + A[vi, vk]

# steps
i, k = sch.get_loops("M")
sch.decompose_reduction("M", k)
sch.loop_partition(k, [5])
