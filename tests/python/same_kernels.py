"""The kernels of the lessons and of the course: on simulated threads with all checks, in the simulator's fast mode and on an OpenCL device, where there is
one, they compute what the unscheduled program computes on the CPU.  As CUDA's, where rows are summed by shuffles, and as OpenCL's, by shared memory."""
import os
import subprocess
import unittest

os.environ.pop("LOOPSCOPE_OPENCL", None)        # the other tests of Python leave it alone

import _loopscope as core                         # pylint: disable=wrong-import-position  # noqa: E402
import numpy as np                                # pylint: disable=wrong-import-position  # noqa: E402
import tap                                        # pylint: disable=wrong-import-position  # noqa: E402
import tvm                                        # pylint: disable=wrong-import-position  # noqa: E402
from tvm import tir                                # pylint: disable=wrong-import-position  # noqa: E402

SAMPLES = os.path.join(os.environ["LS_SOURCE_ROOT"], "data", "samples", "gpu")
DEVICE = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "device", "loopscope-device")
HAS_OPENCL = os.path.exists(DEVICE) and subprocess.run([DEVICE, "--probe", "opencl", "--quick"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                                      check=False).returncode == 0

# The course's two products: blocks of rows and columns in registers, and the same with what is read in shared memory.
BLOCKING = """
block = sch.get_block("C")
local = sch.cache_write(block, 0, "local")
i, j, k = sch.get_loops(block)
i0, i1, i2 = sch.split(i, [None, 8, 8])
j0, j1, j2 = sch.split(j, [None, 8, 8])
k0, k1 = sch.split(k, [None, 8])
sch.reorder(i0, j0, i1, j1, k0, k1, i2, j2)
sch.reverse_compute_at(local, j1)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
"""
REGISTERS = BLOCKING + """
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
sch.decompose_reduction(block, k0)
"""
SHARED = BLOCKING + """
sch.bind(sch.fuse(i1, j1), "threadIdx.x")
for at in range(2):
    read = sch.cache_read(block, at, "shared")
    sch.compute_at(read, k0)
    y, x = sch.get_loops(read)[-2:]
    _, thread, lanes = sch.split(sch.fuse(y, x), [None, 64, 4])
    sch.vectorize(lanes)
    sch.bind(thread, "threadIdx.x")
sch.decompose_reduction(block, k0)
"""


def read(name):
    with open(os.path.join(SAMPLES, name), encoding="utf-8") as file:
        return file.read()


def scheduled(mod, steps):
    sch = tir.Schedule(mod)
    exec(steps, {"sch": sch})                   # pylint: disable=exec-used
    return sch.mod


class SameKernels(unittest.TestCase):
    def check(self, sample, steps=None, kinds=("cuda", "opencl")):
        mod = tvm.script.from_source(read(sample + ".py"))
        kernel = scheduled(mod, steps or read(sample + "_steps.py"))
        draw = np.random.default_rng(7)
        shapes = [[int(extent) for extent in mod["main"].buffer_map[param].shape] for param in mod["main"].params]
        given = [draw.standard_normal(shape).astype("float32") for shape in shapes[:-1]]
        arrays = lambda device: [tvm.nd.array(array, device) for array in given + [np.zeros(shapes[-1], "float32")]]  # noqa: E731
        cpu = arrays(tvm.cpu())
        tvm.build(mod, "llvm")(*cpu)
        wanted = cpu[-1].numpy()
        self.assertGreater(np.abs(wanted).max(), 0)
        for kind in kinds:
            target = "cuda -arch=sm_80" if kind == "cuda" else kind
            lowered = core.lower_device(kernel["main"], target)
            checked, fast = arrays(tvm.device("simt", 0)), arrays(tvm.cpu())
            self.assertEqual([text for what, text in core.simt_run(lowered, target, tuple(checked)) if what != "same-value"], [])
            tvm.build(core.serial_threads(lowered), "llvm")(*fast)
            np.testing.assert_allclose(checked[-1].numpy(), wanted, 1e-5, 1e-5, err_msg=f"{kind}, with all checks")
            np.testing.assert_allclose(fast[-1].numpy(), wanted, 1e-5, 1e-5, err_msg=f"{kind}, the fast mode")
        if HAS_OPENCL:
            device = arrays(tvm.opencl(0))
            self.assertIsNotNone(device[-1]._memory)                            # it is no simulated one
            tvm.build(kernel, target="opencl")(*device)
            np.testing.assert_allclose(device[-1].numpy(), wanted, 1e-5, 1e-5, err_msg="on the OpenCL device")

    def test_vector_add(self):
        self.check("vector_add")

    def test_window_sum(self):
        self.check("window_sum")

    def test_matmul(self):
        self.check("matmul")

    def test_matmul_shared(self):
        self.check("matmul_shared")

    def test_course_registers(self):
        self.check("matmul", REGISTERS)

    def test_course_shared(self):
        self.check("matmul", SHARED)

    def test_softmax(self):
        self.check("softmax")

    def test_transpose(self):
        self.check("transpose")

    @unittest.skipUnless(HAS_OPENCL, "there is no OpenCL device: the kernels above were not run on one")
    def test_there_was_a_device(self):
        self.assertTrue(HAS_OPENCL)


if __name__ == "__main__":
    tap.main()
