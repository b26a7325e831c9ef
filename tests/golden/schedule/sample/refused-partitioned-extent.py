# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((T.int64(4294967296),), "float32")):
        for i in range(T.int64(4294967296)):
            with T.block("A"):
                vi = T.axis.spatial(T.int64(4294967296), i)
                A[vi] = T.float32(1)

# steps
sch.sample_partitioned_tile(sch.get_loops("A")[0], 2, 1, 2)
