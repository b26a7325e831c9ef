# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 8), "float32"), D: T.Buffer((16,), "float32")):
        C = T.alloc_buffer((16,))
        for i, k in T.grid(16, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, i)
                vk = T.axis.opaque(8, k)
                with T.init():
                    C[vi] = T.float32(0)
                C[vi] = C[vi] + A[vi, vk]
        for i in range(16):
            with T.block("D"):
                vi = T.axis.spatial(16, i)
                D[vi] = C[vi] + T.float32(1)

# steps
sch.compute_at("C", sch.get_loops("D")[0])
