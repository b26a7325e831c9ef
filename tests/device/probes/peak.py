# In the place of what data/device/host/probe.c multiplies and adds with, for the driver of these tests, which simulates threads and reads no PTX.
from tvm.script import tir as T

@T.prim_func
def peak(B: T.Buffer((262144,), "float32"), N: T.Buffer((1,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(1024, thread="blockIdx.x"):
        for t in T.thread_binding(256, thread="threadIdx.x"):
            with T.block("B"):
                T.reads(N[0])
                T.writes(B[b * 256 + t])
                B[b * 256 + t] = T.float32(1)
                for k in range(N[0]):
                    B[b * 256 + t] = B[b * 256 + t] * T.float32(0.5) + T.float32(1)
