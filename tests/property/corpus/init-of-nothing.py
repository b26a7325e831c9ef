# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(C: T.Buffer((3,), "uint64")):
        for i, k in T.grid(3, 0):
            with T.block("C"):
                v, r = T.axis.remap("SR", [i, k])
                with T.init():
                    C[v] = T.uint64(7)
                C[v] = C[v] + T.uint64(1)
