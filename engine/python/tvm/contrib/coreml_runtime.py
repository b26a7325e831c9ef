"""Models of Core ML: need Apple's runtime, by its registered function."""
from ._library import needed


def create(symbol, compiled_model_path, device):
    """A module that runs a model."""
    del device
    return needed("tvm.coreml_runtime.create")(symbol, compiled_model_path)
