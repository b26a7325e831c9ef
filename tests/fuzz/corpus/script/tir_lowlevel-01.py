# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        C_1 = T.allocate([4, 4], "float32", "shared", annotations={"own": 1})
        C_1_1 = T.decl_buffer((4, 4), data=C_1, scope="shared")
        C_1_1[0, 1] = A[0]
