# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((2,), "uint64")):
        A[0] = T.max(T.uint64(2) - T.uint64(127), A[1])
