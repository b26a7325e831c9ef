# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        C_1 = T.allocate_const([1.0, 2.0, 3.0], "float32", [3])
        C_1_1 = T.Buffer((3,), data=C_1)
        A[0] = C_1_1[1]
