"""Models of TensorFlow Lite: not read here."""


def from_tflite(model, shape_dict=None, dtype_dict=None, op_converter=None):
    """Not offered: a model of TensorFlow Lite is read through the package tflite, which knows its format."""
    raise NotImplementedError("models of TensorFlow Lite are read by the package tflite, which this does without; save the model as ONNX (tf2onnx --tflite) "
                              "and take relax.frontend.onnx.from_onnx")
