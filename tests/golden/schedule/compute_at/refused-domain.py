# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((6, 6), "int32"), C: T.Buffer((6, 6), "int32")):
    t = T.alloc_buffer((6, 6), "int32")
    for i in range(6):
        for j in range(i + 1):
            with T.block("lower"):
                vi, vj = T.axis.remap("SS", [i, j])
                t[vi, vj] = A[vj, vi] + 1
    for y, z in T.grid(6, 6):
        with T.block("all"):
            vy, vz = T.axis.remap("SS", [y, z])
            C[vy, vz] = A[vz, vy] * 2

# steps
sch.compute_at("lower", sch.get_loops("all")[0])
