# One function of the module calls another; C functions of libm.
#! A = 0 1 4 9
#! B == 0 1 2 3
#! C == 1 2 5 10
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = T.call_pure_extern("float32", "sqrtf", A[i])
        Module.add_one(A.data, C.data)

    @T.prim_func
    def add_one(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            C[i] = A[i] + T.float32(1)
