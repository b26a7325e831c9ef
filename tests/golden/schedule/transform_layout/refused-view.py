# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        for i in range(4):
            with T.block("outer"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi * 4:vi * 4 + 4, 0:16])
                T.writes(C[vi * 4:vi * 4 + 4, 0:16])
                V = T.match_buffer(A[vi * 4:vi * 4 + 4, 0:16], (4, 16), offset_factor=1)
                for j, k in T.grid(4, 16):
                    with T.block("C"):
                        vj, vk = T.axis.remap("SS", [j, k])
                        C[vi * 4 + vj, vk] = V[vj, vk]

# steps
sch.transform_layout("C", ("read", 0), lambda i, j: (j, i))
