# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle, b: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (32, 1, 64))
        B = T.match_buffer(b, (32, n, 64))
        C = T.match_buffer(c, (32, 1, n))
        R = T.alloc_buffer((64, 32, 1, n))
        for f, k, z in T.grid(n * 32, 64, 1):
            with T.block("R"):
                vk = T.axis.spatial(64, k)
                v0 = T.axis.spatial(32, f // n)
                v1 = T.axis.spatial(n, f % n)
                vz = T.axis.reduce(1, z)
                with T.init():
                    R[vk, v0, 0, v1] = T.float32(0)
                R[vk, v0, 0, v1] = R[vk, v0, 0, v1] + A[v0, 0, vz * 64 + vk] * B[v0, v1, vz * 64 + vk]
        for f, k in T.grid(n * 32, 64):
            with T.block("C"):
                vk = T.axis.reduce(64, k)
                v0 = T.axis.spatial(32, f // n)
                v1 = T.axis.spatial(n, f % n)
                with T.init():
                    C[v0, 0, v1] = T.float32(0)
                C[v0, 0, v1] = C[v0, 0, v1] + R[vk, v0, 0, v1]
# steps
sch.reverse_compute_at(sch.get_block("C"), sch.get_loops(sch.get_block("R"))[0], preserve_unit_loops=True)
