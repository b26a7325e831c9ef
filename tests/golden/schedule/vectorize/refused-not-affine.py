# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 64), "float32"), C: T.Buffer((16,), "float32")):
        for i, k in T.grid(16, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, i)
                vk = T.axis.reduce(64, k * k)
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]

# steps
sch.vectorize(sch.get_loops("C")[0])
