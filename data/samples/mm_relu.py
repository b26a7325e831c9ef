"""relu (A B): the product of two matrices, with 0 in place of what is negative."""

from tvm.script import ir as I, tir as T


@I.ir_module
class MatmulRelu:
    @T.prim_func
    def mm_relu(A: T.Buffer((128, 128)),      # a row of A
                B: T.Buffer((128, 128)),      # and a column of B
                C: T.Buffer((128, 128))):     # make an element of C
        T.func_attr({"global_symbol": "mm_relu", "tir.noalias": True})
        Y = T.alloc_buffer((128, 128))
        for i, j, k in T.grid(128, 128, 128):
            with T.block("Y"):
                vi, vj = T.axis.remap("SS", [i, j])
                vk = T.axis.reduce(128, k)
                # the product, summed over k
                with T.init():
                    Y[vi, vj] = T.float32(0)
                Y[vi, vj] += A[vi, vk] * B[vk, vj]
        for i, j in T.grid(128, 128):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                # what is negative becomes 0
                C[vi, vj] = T.max(Y[vi, vj], T.float32(0))
