# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "int32"), n: T.int32):
        assert n > 0, "pos"
        A[0] = n
        assert n < 9 and A[0] == 2, "b"
        A[1] = n
