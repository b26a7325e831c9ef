# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), S: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
        R = T.alloc_buffer((16,))
        for i in range(16):
            with T.block("S_init"):
                vi = T.axis.spatial(16, i)
                R[vi] = T.float32(0)
        for i, k in T.grid(16, 24):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                R[vi] = R[vi] + A[vi, vk]
        for i in range(16):
            with T.block("D"):
                vi = T.axis.spatial(16, i)
                D[vi] = R[vi]
        for i in range(16):
            with T.block("E"):
                vi = T.axis.spatial(16, i)
                S[vi] = A[vi, 0]

# steps
l = sch.get_loops("S")
sch.vectorize(l[0])
