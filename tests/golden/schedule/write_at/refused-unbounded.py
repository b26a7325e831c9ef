# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 4), "float32"), I: T.Buffer((8, 4), "int32"), B: T.Buffer((64,), "float32")):
        for i, j in T.grid(8, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[I[vi, vj]] = A[vi, vj]

# steps
sch.write_at(sch.get_loops("B")[0], "B", 0, "shared")
