from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("A"):
            vi = T.axis.spatial(64, i)
            A[vi] = T.float32(0)

# steps
sch.split(sch.get_loops("A")[0], [65536, 65537])
