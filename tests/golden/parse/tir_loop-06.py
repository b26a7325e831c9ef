# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        for i in T.parallel(16, annotations={"f": T.float32(1.5)}):
            A[i] = T.float32(0.0)
