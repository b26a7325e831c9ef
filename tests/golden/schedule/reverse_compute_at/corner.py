# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32"), D: T.Buffer((1, 2, 1), "float32")):
        B = T.alloc_buffer((64, 64))
        for io, jo, ii in T.grid(T.int64(4), T.int64(4), T.int64(16)):
            for ji in range(T.int64(16)):
                with T.block("B"):
                    vi = T.axis.spatial(T.int64(64), io * T.int64(16) + ii)
                    vj = T.axis.spatial(T.int64(64), jo * T.int64(16) + ji)
                    B[vi, vj] = A[vi, vj] * T.float32(2)
        for a, b, c in T.grid(T.int64(1), T.int64(2), T.int64(1)):
            with T.block("D"):
                v0, v1, v2 = T.axis.remap("SSS", [a, b, c])
                D[v0, v1, v2] = B[v0, v1] + T.float32(1)
# steps
sch.reverse_compute_at(sch.get_block("D"), sch.get_loops(sch.get_block("B"))[2], preserve_unit_loops=True, index=1)
