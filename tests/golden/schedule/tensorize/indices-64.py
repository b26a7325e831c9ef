# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((T.int64(2), T.int64(8), T.int64(16)), "int8"), B: T.Buffer((T.int64(2), T.int64(8), T.int64(16)), "int8"), C: T.Buffer((T.int64(2), T.int64(8), T.int64(8)), "int32")):
        for b, i, j, k in T.grid(T.int64(2), T.int64(8), T.int64(8), T.int64(16)):
            with T.block("C"):
                vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
                with T.init():
                    C[vb, vi, vj] = 0
                C[vb, vi, vj] = C[vb, vi, vj] + T.Cast("int32", A[vb, vi, vk]) * T.Cast("int32", B[vb, vj, vk])
# intrin
@T.prim_func
def dot4_desc(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (4,), "int8", offset_factor=1)
    B = T.match_buffer(b, (4,), "int8", offset_factor=1)
    C = T.match_buffer(c, (1,), "int32", offset_factor=1)
    with T.block("root"):
        T.reads(C[0], A[0:4], B[0:4])
        T.writes(C[0])
        for k in range(4):
            with T.block("dot"):
                vk = T.axis.reduce(4, k)
                C[0] = C[0] + T.Cast("int32", A[vk]) * T.Cast("int32", B[vk])

@T.prim_func
def dot4_impl(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (4,), "int8", offset_factor=1)
    B = T.match_buffer(b, (4,), "int8", offset_factor=1)
    C = T.match_buffer(c, (1,), "int32", offset_factor=1)
    with T.block("root"):
        T.reads(C[0], A[0:4], B[0:4])
        T.writes(C[0])
        T.block_attr({"done_by": "dot4"})
        C[0] = C[0] + T.call_pure_extern("int32", "dot4", A.access_ptr("r"), B.access_ptr("r"))
# steps
c = sch.get_block("C")
b, i, j, k = sch.get_loops(c)
k0, k1 = sch.split(k, [None, 4])
sch.decompose_reduction(c, k0)
sch.tensorize(k1, "dot4")
