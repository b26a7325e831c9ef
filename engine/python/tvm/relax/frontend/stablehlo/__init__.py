"""Modules of StableHLO: not read here."""


def from_stablehlo(stablehlo_module, input_info=None):
    """Not offered: StableHLO is read through the MLIR bindings that come with jaxlib."""
    raise NotImplementedError("StableHLO is read by the MLIR bindings of jaxlib, which this does without; save the model as ONNX (jax2tf, then tf2onnx) and "
                              "take relax.frontend.onnx.from_onnx")
