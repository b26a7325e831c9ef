"""Models written as modules of layers, as in PyTorch, that become Relax functions: nn.Module.export_tvm."""
from . import op, spec
from .core import (Effect, Module, ModuleDict, ModuleList, Object, Parameter, ParameterDict, ParameterList, Tensor, get_default_dtype, set_default_dtype,
                   wrap_nested)
from .exporter import add_extern
from .extern import ExternModule, ObjectModule, SourceModule
from .modules import (Attention, Conv1D, Conv2D, Conv3D, ConvTranspose1D, ConvTranspose2D, Embedding, GELU, GroupNorm, Identity, IOEffect, KVCache, LayerNorm,
                      Linear, MultiLinear, ReLU, RMSNorm, SiLU, TimestepEmbedding, Timesteps)
from .subroutine import SubroutineMixin
from .op import *  # noqa: F401,F403
from .visitor import Mutator
