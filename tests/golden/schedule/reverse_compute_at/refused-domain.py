# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32"), C: T.Buffer((6, 6), "int32"), D: T.Buffer((6,), "int32"), E: T.Buffer((6,), "int32")):
    t = T.alloc_buffer((6, 6), "int32")
    for y, z in T.grid(6, 6):
        with T.block("b0"):
            vi, vj = T.axis.remap("SS", [y, z])
            t[vi, vj] = A[vj, vi]
    for i in range(4):
        for j in range(i + 1):
            with T.block("b1"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, T.bitwise_and(D[vi], 3)] = B[T.min(vi + 3, 5), (vj * 2 + vj) % 5] * T.int32(3) + B[vj, vj]

# steps
sch.reverse_compute_at("b1", sch.get_loops("b0")[0])
