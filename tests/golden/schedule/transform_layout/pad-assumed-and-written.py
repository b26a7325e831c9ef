# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((100,), "float32"), C: T.Buffer((98,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        B = T.alloc_buffer((100,))
        for i in range(100):
            with T.block("B"):
                v_i = T.axis.spatial(100, i)
                T.reads(A[v_i])
                T.writes(B[v_i])
                B[v_i] = A[v_i] * T.float32(2.0)
        for i in range(98):
            with T.block("C"):
                v_i = T.axis.spatial(98, i)
                T.reads(B[v_i:v_i + 3])
                T.writes(C[v_i])
                C[v_i] = B[v_i] + B[v_i + 1] + B[v_i + 2]
# steps
b0 = sch.get_block("B", func_name="main")
sch.transform_layout(b0, ("write", 0), lambda i: (i // 16, i % 16), pad_value=0.0)
sch.transform_layout(b0, ("read", 0), lambda i: (i // 16, i % 16), pad_value=lambda a, b: T.float32(1))
