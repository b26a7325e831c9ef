# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128,), "float32")):
        # with T.block("root"):
        B = T.alloc_buffer((16, 8), "float16", scope="local")
        C = T.alloc_buffer((16, 8), strides=(8, 1))
        D = T.alloc_buffer((4,), "int32", align=16)
        with T.block("c"):
            T.reads()
            T.writes(B[0, 0])
            B[0, 0] = T.Cast("float16", A[3])
