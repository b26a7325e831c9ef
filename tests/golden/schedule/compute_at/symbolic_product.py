# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle, c: T.handle, n: T.int64):
        A = T.match_buffer(a, (T.int64(8), n * T.int64(32)))
        C = T.match_buffer(c, (T.int64(8), n * T.int64(32)))
        B = T.alloc_buffer((T.int64(8), n * T.int64(32)))
        for i, k in T.grid(T.int64(8), n * T.int64(32)):
            with T.block("B"):
                vi, vk = T.axis.remap("SS", [i, k])
                B[vi, vk] = A[vi, vk]
        for i, k in T.grid(T.int64(8), n * T.int64(32)):
            with T.block("C"):
                vi, vk = T.axis.remap("SS", [i, k])
                C[vi, vk] = B[vi, vk]
# steps
l = sch.split(sch.get_loops(sch.get_block("C"))[1], factors=[None, 32])
sch.compute_at(sch.get_block("B"), l[0])
