# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((6,), "float32"), Y: T.Buffer((6,), "float32")):
        table_data = T.allocate_const([1.0, 2.0, 4.0, 8.0, 16.0, 32.0], "float32", [6])
        table = T.decl_buffer((6,), data=table_data)
        for i in range(6):
            with T.block("scale"):
                vi = T.axis.spatial(6, i)
                Y[vi] = X[vi] * table[vi]

# steps
sch.cache_read("scale", "table", "global")
