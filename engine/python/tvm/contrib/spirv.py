"""SPIR-V's tools: need spirv-opt."""
import os
import tempfile

from ._library import run, tool


def optimize(spv_bin):
    """A program of SPIR-V, made better by spirv-opt."""
    program = tool(["spirv-opt"], "SPIR-V")
    with tempfile.TemporaryDirectory(prefix="loopscope-spirv-") as folder:
        before, after = os.path.join(folder, "in.spv"), os.path.join(folder, "out.spv")
        with open(before, "wb") as file:
            file.write(bytes(spv_bin))
        run([program, "-O", before, "-o", after], "Optimization")
        with open(after, "rb") as file:
            return bytearray(file.read())
