# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 24), "float32"), C: T.Buffer((16, 24), "float32"), D: T.Buffer((16, 24), "float32")):
        for i in T.serial(16, annotations={"note": 1}):
            for j in T.parallel(24):
                with T.block("C"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    C[vi, vj] = A[vi, vj] + T.float32(1)
        for i in T.thread_binding(16, thread="threadIdx.x"):
            for j in range(2, 24):
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    D[vi, vj] = A[vi, vj]

# steps
l = sch.get_loops("D")
sch.fuse(l[0], l[1])
