# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((20,), "float32"), W: T.Buffer((3,), "float32"), S: T.Buffer((18,), "float32")):
        for i, k in T.grid(18, 3):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + A[vi + vk] * W[vk]

# steps
sch.annotate_buffer_access("S", 0, "read", lambda i, k: ((i, i + 3),))
