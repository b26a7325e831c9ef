# pass: CompactBufferAllocation()
# A guard over the threads' own rows leaves each thread its four, also those who have none of the sixteen.
from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 6), "float32"), C: T.Buffer((16, 6), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for b in T.thread_binding(1, thread="blockIdx.x"):
            for t in T.thread_binding(8, thread="threadIdx.x"):
                with T.block(""):
                    T.reads(A[0:16, 0:6])
                    T.writes(C[t * 4:t * 4 + 4, 0:6])
                    L = T.alloc_buffer((32, 6), scope="local")
                    for i, j in T.grid(4, 6):
                        with T.block("L"):
                            T.reads()
                            T.writes(L[b * 32 + t * 4 + i, j])
                            L[b * 32 + t * 4 + i, j] = T.float32(1)
                    for i, j in T.grid(4, 6):
                        with T.block("C"):
                            T.where(t * 4 + i < 16)
                            T.reads(A[t * 4 + i, j], L[t * 4 + i, j])
                            T.writes(C[t * 4 + i, j])
                            C[t * 4 + i, j] = L[t * 4 + i, j] * A[t * 4 + i, j]
