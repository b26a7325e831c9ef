# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16,), "float32")):
        for i, k, again in T.grid(16, 8, 3):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]

# steps
sch.rfactor(sch.get_loops("C")[1], 0)
