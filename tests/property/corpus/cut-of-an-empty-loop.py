# from tvm.script import ir as I
# from tvm.script import tir as T

# LoopPartition with partition_const_loop cut the outer loop, which never runs, or the one in it, again and again.
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
        for i, j in T.grid(-1, 1):
            A[0] = T.Select(T.likely(i // 2 != i + j), T.float32("inf"), A[j])
        for i in range(1):
            if T.likely(i < 1):
                B[i] = A[i] + T.float32(1)
        for i in range(0):
            for j in range(-2, 1):
                B[0] = T.Select(T.likely(j == i), T.float32(2), T.float32(3))
