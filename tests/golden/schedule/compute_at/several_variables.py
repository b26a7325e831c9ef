# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((3, 45), "float32"), R: T.Buffer((3,), "float32")):
        for i, k in T.grid(3, 45):
            with T.block("R"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    R[vi] = T.float32(0)
                R[vi] = R[vi] + X[vi, vk]

# steps
block = sch.get_block("R")
i, k = sch.get_loops(block)
k0, k1 = sch.split(k, factors=[None, 32])
part = sch.rfactor(k1, 0)
block = sch.get_block("R")
i, k1 = sch.get_loops(block)
sch.compute_at(part, k1)
