# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(S: T.Buffer((1, 27, 6), "float32")):
        X = T.alloc_buffer((1, 8, 6))
        Z = T.alloc_buffer((1, 25, 6))
        Cat = T.alloc_buffer((1, 33, 6))
        for i, j, k in T.grid(1, 8, 6):
            with T.block("X"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                X[vi, vj, vk] = T.float32(1)
        for i, j, k in T.grid(1, 25, 6):
            with T.block("Z"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                Z[vi, vj, vk] = T.float32(2)
        for i, j, k in T.grid(1, 33, 6):
            with T.block("Cat"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                Cat[vi, vj, vk] = T.if_then_else(25 <= vj, X[vi, vj - 25, vk], Z[vi, vj, vk])
        for i, j, k in T.grid(1, 27, 6):
            with T.block("S"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                S[vi, vj, vk] = Cat[vi, vj, vk]
# steps
l = sch.get_loops(sch.get_block("S"))[0]
sch.compute_at(sch.get_block("Cat"), l)
sch.compute_at(sch.get_block("X"), l)
sch.compute_at(sch.get_block("Z"), l)
