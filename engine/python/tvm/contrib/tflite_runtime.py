"""Models of TensorFlow Lite: need its runtime, by its registered function."""
from ._library import needed


def create(tflite_model_bytes, device, runtime_target="cpu"):
    """A module that runs a model."""
    name = "tvm.edgetpu_runtime.create" if runtime_target == "edge_tpu" else "tvm.tflite_runtime.create"
    return needed(name)(bytearray(tflite_model_bytes), device)
