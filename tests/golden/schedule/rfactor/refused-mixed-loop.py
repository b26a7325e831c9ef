# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((26,), "float32"), C: T.Buffer((24,), "float32")):
        B = T.alloc_buffer((26,))
        for i in range(26):
            with T.block("B"):
                vi = T.axis.spatial(26, i)
                B[vi] = A[vi] * T.float32(2)
        for i, k in T.grid(24, 3):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + B[vi + vk]

# steps
l = sch.get_loops("C")
sch.fuse(l[0], l[1])
sch.rfactor(sch.get_loops("C")[0], 0)
