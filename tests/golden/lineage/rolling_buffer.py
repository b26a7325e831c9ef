# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((12, 8), "float32"), C: T.Buffer((10, 8), "float32")):
        B = T.alloc_buffer((12, 8))
        for y in range(5):
            for y1, x1 in T.grid(4, 8):
                with T.block("B"):
                    vy = T.axis.spatial(12, y * 2 + y1)
                    vx = T.axis.spatial(8, x1)
                    B[vy, vx] = A[vy, vx] * T.float32(2)
            for y1, x1, k in T.grid(2, 8, 3):
                with T.block("C"):
                    vy = T.axis.spatial(10, y * 2 + y1)
                    vx, vk = T.axis.remap("SR", [x1, k])
                    with T.init():
                        C[vy, vx] = T.float32(0)
                    C[vy, vx] = C[vy, vx] + B[vy + vk, vx]

# steps
sch.rolling_buffer("B", 0)
