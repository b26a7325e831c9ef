# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 64), "float32"), C: T.Buffer((64, 64), "float32")):
        for i0, j0, k0, i1, j1, k1 in T.grid(4, 2, 4, 16, 32, 8):
            with T.block("C"):
                vi = T.axis.spatial(64, i0 * 16 + i1)
                vj = T.axis.spatial(64, j0 * 32 + j1)
                vk = T.axis.reduce(32, k0 * 8 + k1)
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

# steps
_, j0, _, _, _, _ = sch.get_loops("C")
sch.write_at(j0, "C", 0, "local")
