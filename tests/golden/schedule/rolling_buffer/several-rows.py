from tvm.script import ir as I
from tvm.script import tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((14, 14), "float32")):
        for i, j in T.grid(14, 14):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + A[vi + 1, vj + 2] + A[vi + 2, vj]

# steps
b = sch.get_block("C", func_name="main")
copied = sch.read_at(sch.get_loops(b)[0], b, 0, "shared")
sch.rolling_buffer(copied, 0)
