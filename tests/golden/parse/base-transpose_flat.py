# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32, 64), "float32"), C: T.Buffer((2048,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        B = T.alloc_buffer((64, 32))
        for i, j in T.grid(64, 32):
            with T.block("B"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(A[v_j, v_i])
                T.writes(B[v_i, v_j])
                B[v_i, v_j] = A[v_j, v_i]
        for i in range(2048):
            with T.block("C"):
                v_i = T.axis.spatial(2048, i)
                T.reads(B[v_i // 32, v_i % 32])
                T.writes(C[v_i])
                C[v_i] = B[v_i // 32, v_i % 32] + T.float32(1.0)
