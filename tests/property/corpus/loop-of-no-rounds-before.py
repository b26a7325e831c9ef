# from tvm.script import ir as I
# from tvm.script import tir as T

# Simplify that proves inequalities transitively took what is the extent of a loop to be positive behind it, and that of a block.
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "bool"), D: T.Buffer((1,), "int32"), C: T.Buffer((3,), "float32")):
        for i in range(T.Cast("int32", B[0])):
            C[2] = C[2] + T.float32(1)
        C[0] = T.Select(T.Cast("int32", B[0]) != 0, T.float32(2), C[0])
        n: T.int32 = T.Cast("int32", D[0] == 7)
        for i in range(n):
            with T.block("rounds"):
                v = T.axis.spatial(n, i)
                C[2] = C[2] + T.Cast("float32", v)
        C[1] = T.Select(n > 0, T.float32(3), C[1])
