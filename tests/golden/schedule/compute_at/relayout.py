# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1, 3, 5, 16), "float32"), C: T.Buffer((1, 6, 5, 8), "float32")):
        B = T.alloc_buffer((1, 3, 5, 16))
        for i0, i1, i2, i3 in T.grid(1, 3, 5, 16):
            with T.block("B"):
                v0, v1, v2, v3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                B[v0, v1, v2, v3] = A[v0, v1, v2, v3] + T.float32(1)
        for i0, i1, i2, i3 in T.grid(1, 6, 5, 8):
            with T.block("C"):
                v0, v1, v2, v3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                C[v0, v1, v2, v3] = B[v0, (v1 * 8 + v3) // 16, v2, (v1 * 8 + v3) % 16]
# steps
sch.compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("C"))[2])
