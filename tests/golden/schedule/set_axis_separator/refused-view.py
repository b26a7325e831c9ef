# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 4):
            with T.block("outer"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj * 4:vj * 4 + 4])
                T.writes(C[vi, vj * 4:vj * 4 + 4])
                V = T.match_buffer(C[vi, vj * 4:vj * 4 + 4], (1, 4), offset_factor=1, strides=("s0", "s1"))
                for l in range(4):
                    with T.block("inner"):
                        vl = T.axis.spatial(4, l)
                        V[0, vl] = A[vi, vj * 4 + vl]

# steps
sch.set_axis_separator("inner", ("write", 0), [1])
