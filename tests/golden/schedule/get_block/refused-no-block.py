# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        for i in range(16):
            A[i] = T.float32(1)

# steps
sch.add_unit_loop(sch.get_block("root"))
