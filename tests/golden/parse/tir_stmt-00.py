# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "int32"), n: T.int32):
        k: T.int32 = n * 2
        A[k] = k
        j: T.int32 = n + 1
        A[j] = j
