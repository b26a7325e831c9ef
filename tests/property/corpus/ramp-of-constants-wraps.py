# A lane of constants leaves the type: the ramp goes along no line, and what a remainder takes is what wrapped.
from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(C: T.Buffer((16,), "int32"), D: T.Buffer((4,), "bool")):
        C[2:4] = T.truncmod(T.Ramp(0, 2, 2) + T.Broadcast(2147483646, 2), T.Broadcast(5, 2))
        C[4:6] = T.Ramp(2147483646, 2, 2) // T.Broadcast(2, 2)
        C[6:8] = T.Ramp(2147483646, 2, 2) % T.Broadcast(7, 2)
        C[8:10] = T.max(T.Ramp(2147483646, 2, 2), T.Broadcast(0, 2))
        D[0:2] = T.Ramp(2147483646, 2, 2) < T.Ramp(0, 2, 2)
        D[2:4] = T.Broadcast(0, 2) < T.Ramp(2147483646, 2, 2)
