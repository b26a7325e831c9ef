# golden: style=2026
from tvm.script import tirx as TX, ir as J

N = 128
SHAPE = (N, N // 2)

@J.ir_module
class M:
    @TX.prim_func
    def main(A: TX.Buffer(SHAPE, "float32"), B: TX.Buffer((N, 64), "float32")) -> None:
        C = TX.sblock_alloc_buffer(SHAPE)
        for i, j in TX.grid(*SHAPE):
            with TX.sblock("C"):
                vi = TX.axis.spatial(N, i)
                vj = TX.axis.spatial(64, j)
                TX.sblock_attr({"a": 1})
                C[vi, vj] = TX.max(A[vi, vj], 0)
        for i in range(0, N):
            for j in TX.parallel(64, annotations={"x": [1, "y", {"z": 2.5}]}):
                with TX.sblock("B"):
                    vi, vj = TX.axis.remap("SS", [i, j])
                    B[vi, vj] = C[vi, vj] \
                        * 2
