# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), C: T.Buffer((16, 24), "float32"), D: T.Buffer((16, 24), "float32")):
        for i in range(16):
            for j in range(24):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = A[vi, vj] + T.float32(1)
            for k in range(24):
                with T.block("D"):
                    vi, vk = T.axis.remap("SS", [i, k])
                    D[vi, vk] = A[vi, vk] * C[vi, vk]

# steps
l = sch.get_loops("D")
sch.write_at(l[0], "C", 0, "shared")
