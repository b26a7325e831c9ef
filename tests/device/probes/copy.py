# What data/device/host/probe.c copies with, for the driver of these tests, which simulates threads and reads no PTX.
from tvm.script import tir as T

@T.prim_func
def copy(A: T.Buffer((1048576,), "float32"), B: T.Buffer((1048576,), "float32"), N: T.Buffer((1,), "int32")):
    T.func_attr({"tir.noalias": True})
    for b in T.thread_binding(1024, thread="blockIdx.x"):
        for t in T.thread_binding(256, thread="threadIdx.x"):
            with T.block("B"):
                T.reads(N[0], A[0:1048576])
                T.writes(B[0:1048576])
                for k in range(N[0]):
                    for v in T.vectorized(4):
                        B[k * 1048576 + b * 1024 + t * 4 + v] = A[k * 1048576 + b * 1024 + t * 4 + v]
