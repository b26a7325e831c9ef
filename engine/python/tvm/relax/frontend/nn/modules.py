"""Layers, and the effects of printing and of a cache for keys and values."""
import builtins

from ....runtime._registry import get_global_func, register_func
from ... import expr as rx
from ... import op as _op
from ...block_builder import BlockBuilder
from ...struct_info import ObjectStructInfo, TensorStructInfo
from . import op
from .core import Effect, Module, ModuleList, Parameter, Tensor, get_default_dtype


class IOEffect(Effect):
    """What is printed while the model runs."""

    def __init__(self):
        self.effect = None

    def emit_init(self, name_hint, builder):
        """Nothing is printed yet."""
        return [builder.emit(_op.null_value(), f"{name_hint}_io")]

    def create(self, name_hint):
        """The parameter `_io`."""
        assert self.effect is None
        return [rx.Var(f"{name_hint}_io", struct_info=ObjectStructInfo())]

    def set_state(self, state_vars):
        """The state is in this variable now."""
        (self.effect,) = state_vars

    def finalize(self):
        """The variable of the state."""
        result, self.effect = self.effect, None
        return [result]


@register_func("vm.builtin.invoke_debug_func", override=True)
def _invoke_debug_func(state, name, line, *args):
    """Calls a registered function while a model runs; gives the state on."""
    get_global_func(name)(line, *args)
    return state


@register_func("vm.builtin.debug_print", override=True)
def _debug_print(line, array):
    """Prints an array with the line of the program that asked for it."""
    print(f"{line}: shape = {tuple(array.shape)}, dtype = {array.dtype}, data =\n{array}")


class _Activation(Module):
    """One operator as a layer."""

    operator = None

    def forward(self, x: Tensor):
        """The operator on x."""
        return type(self).operator(x)


class ReLU(_Activation):
    """op.relu."""

    operator = staticmethod(op.relu)


class SiLU(_Activation):
    """op.silu."""

    operator = staticmethod(op.silu)


class GELU(_Activation):
    """op.gelu."""

    operator = staticmethod(op.gelu)


class Identity(Module):
    """x as it is."""

    def forward(self, x: Tensor):
        """x."""
        return x


class Linear(Module):
    """x times the transposed weight, plus bias."""

    def __init__(self, in_features, out_features, bias=True, dtype=None, out_dtype=None):
        super().__init__()
        self.in_features, self.out_features, self.out_dtype = in_features, out_features, out_dtype
        self._set_weights(out_features, bias, dtype)

    def _set_weights(self, rows, bias, dtype):
        self.weight = Parameter((rows, self.in_features), dtype)
        self.bias = Parameter((rows,), dtype=dtype if self.out_dtype is None else self.out_dtype) if bias else None

    def forward(self, x: Tensor):
        """The product."""
        x = op.matmul(x, op.permute_dims(self.weight), out_dtype=self.out_dtype)
        return x if self.bias is None else x + self.bias

    def to(self, dtype=None):
        """Changes the type; a bias follows `out_dtype` where there is one."""
        self.weight.to(dtype=dtype)
        if self.bias is not None and self.out_dtype is None:
            self.bias.to(dtype=dtype)
        if dtype is not None and isinstance(getattr(self, "dtype", None), str):
            self.dtype = dtype


class MultiLinear(Linear):
    """Several linear layers over the same input, in one product."""

    def __init__(self, in_features, out_features, bias=True, dtype=None, out_dtype=None):
        assert len(out_features) > 0
        Module.__init__(self)
        self.in_features, self.out_features, self.out_dtype = in_features, out_features, out_dtype
        self._set_weights(builtins.sum(out_features), bias, dtype)

    def forward(self, x: Tensor):
        """The products, a tuple."""
        cuts = [builtins.sum(self.out_features[:i]) for i in range(1, len(self.out_features))]
        return op.split(super().forward(x), cuts, axis=-1)


def _share(channels, groups):
    """The channels of one group; a symbolic number stays one where there is one group."""
    return channels if groups == 1 else channels // groups


class _Convolution(Module):
    """Weights and settings of a convolution."""

    n_axes, transposed = 1, False

    def _set_up(self, in_channels, out_channels, kernel_size, bias, dtype, **settings):
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = kernel_size if self.n_axes == 1 else list(kernel_size) if isinstance(kernel_size, (list, tuple)) else [kernel_size] * self.n_axes
        self.__dict__.update(settings)
        window = [self.kernel_size] if self.n_axes == 1 else self.kernel_size
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = Parameter((first, _share(second, self.groups), *window), dtype)
        self.bias = Parameter((out_channels,), dtype) if bias else None


class Conv1D(_Convolution):
    """op.conv1d with its weights."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, dtype=None):
        self._set_up(in_channels, out_channels, kernel_size, bias, dtype, stride=stride, padding=padding, dilation=dilation, groups=groups)

    def forward(self, x: Tensor):
        """The convolution."""
        return op.conv1d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2D(_Convolution):
    """op.conv2d with its weights."""

    n_axes = 2

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, dtype=None, data_layout="NCHW"):
        self._set_up(in_channels, out_channels, kernel_size, bias, dtype, stride=stride, padding=padding, dilation=dilation, groups=groups,
                     data_layout=data_layout)

    def forward(self, x: Tensor):
        """The convolution."""
        return op.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups, self.data_layout)


class Conv3D(_Convolution):
    """op.conv3d with its weights."""

    n_axes = 3

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, dtype=None, data_layout="NCDHW"):
        self._set_up(in_channels, out_channels, kernel_size, bias, dtype, stride=stride, padding=padding, dilation=dilation, groups=groups,
                     data_layout=data_layout)

    def forward(self, x: Tensor):
        """The convolution."""
        return op.conv3d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups, self.data_layout)


class ConvTranspose1D(_Convolution):
    """op.conv1d_transpose with its weights."""

    transposed = True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, dilation=1, groups=1, bias=True, dtype=None):
        self._set_up(in_channels, out_channels, kernel_size, bias, dtype, stride=stride, padding=padding, output_padding=output_padding, dilation=dilation,
                     groups=groups)

    def forward(self, x: Tensor):
        """The transposed convolution."""
        return op.conv1d_transpose(x, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.dilation, self.groups)


class ConvTranspose2D(_Convolution):
    """op.conv2d_transpose with its weights."""

    n_axes, transposed = 2, True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, dilation=1, groups=1, bias=True, dtype=None,
                 data_layout="NCHW"):
        self._set_up(in_channels, out_channels, kernel_size, bias, dtype, stride=stride, padding=padding, output_padding=output_padding, dilation=dilation,
                     groups=groups, data_layout=data_layout)

    def forward(self, x: Tensor):
        """The transposed convolution."""
        return op.conv2d_transpose(x, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.dilation, self.groups, self.data_layout)


class LayerNorm(Module):
    """op.layer_norm with its weights."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, dtype=None):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = normalized_shape, eps, elementwise_affine
        self.weight = Parameter((normalized_shape,), dtype=dtype) if elementwise_affine else None
        self.bias = Parameter((normalized_shape,), dtype=dtype) if elementwise_affine else None

    def forward(self, x: Tensor):
        """The norm."""
        return op.layer_norm(x, normalized_shape=self.normalized_shape, weight=self.weight, bias=self.bias, eps=self.eps)


class RMSNorm(Module):
    """op.rms_norm with its weights."""

    def __init__(self, hidden_size, axes, epsilon=1e-5, bias=True, dtype=None):
        super().__init__()
        self.epsilon, self.axes = epsilon, axes
        self.weight = Parameter((hidden_size,), dtype=dtype)
        self.bias = Parameter((hidden_size,), dtype=dtype) if bias else None

    def forward(self, x: Tensor):
        """The norm."""
        out = op.rms_norm(x, weight=self.weight, axes=self.axes, epsilon=self.epsilon)
        return out if self.bias is None else op.add(out, self.bias)


class GroupNorm(Module):
    """op.group_norm with its weights."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, dtype=None):
        super().__init__()
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.weight = Parameter((num_channels,), dtype=dtype) if affine else None
        self.bias = Parameter((num_channels,), dtype=dtype) if affine else None

    def forward(self, x: Tensor, channel_axis: int = 1, axes=None):
        """The norm."""
        return op.group_norm(x, self.num_groups, self.weight, self.bias, self.eps, channel_axis, axes)


class KVCache(Effect):
    """Keys or values of the tokens so far."""

    def __init__(self, init_seq_len, unit_shape, dtype=None):
        self.init_seq_len, self.unit_shape = init_seq_len, [int(x) for x in unit_shape]
        self.dtype = dtype or get_default_dtype()
        self.cache = None

    def emit_init(self, name_hint, builder):
        """An empty cache."""
        shape = rx.ShapeExpr([self.init_seq_len] + self.unit_shape)
        return [builder.emit(_op.call_pure_packed("vm.builtin.attention_kv_cache_create", _op.zeros(shape, self.dtype), shape, rx.PrimValue(0),
                                                  sinfo_args=[ObjectStructInfo()]), name_hint=name_hint)]

    def create(self, name_hint):
        """The parameter of the cache."""
        return [rx.Var(name_hint, struct_info=ObjectStructInfo())]

    def set_state(self, state_vars):
        """The cache is in this variable now."""
        (self.cache,) = state_vars

    def finalize(self):
        """The variable of the cache."""
        result, self.cache = self.cache, None
        return [result]

    def to(self, dtype=None):
        """Changes the type of the elements."""
        self.dtype = dtype or self.dtype

    def view(self, seq_len):
        """The first `seq_len` rows."""
        shape = rx.ShapeExpr([seq_len] + self.unit_shape)
        return Tensor(_expr=BlockBuilder.current().emit(_op.call_pure_packed("vm.builtin.attention_kv_cache_view", self.cache, shape,
                                                                             sinfo_args=[TensorStructInfo(shape, self.dtype)])))

    def append(self, new_element):
        """Adds rows."""
        if new_element.dtype != self.dtype:
            raise TypeError(f'KVCache has been set to use dtype "{self.dtype}", but got "{new_element.dtype}"')
        self.cache = BlockBuilder.current().emit(_op.call_inplace_packed("vm.builtin.attention_kv_cache_append", self.cache, new_element._expr,
                                                                         inplace_indices=[0], sinfo_args=[ObjectStructInfo()]))


class Embedding(Module):
    """Rows of a table by their numbers."""

    def __init__(self, num, dim, dtype=None):
        self.num, self.dim = num, dim
        self.weight = Parameter((num, dim), dtype=dtype)

    def forward(self, x: Tensor):
        """The rows."""
        if x.ndim == 1:
            return op.take(self.weight, x, axis=0)
        return op.reshape(op.take(self.weight, op.reshape(x, shape=[-1]), axis=0), shape=[*x.shape, self.dim])


class TimestepEmbedding(Module):
    """Two linear layers with an activation between them, as diffusion models have them for their steps."""

    def __init__(self, in_channels, time_embed_dim, act_fn="silu", out_dim=None, post_act_fn=None, cond_proj_dim=None):
        self.linear_1 = Linear(in_channels, time_embed_dim)
        self.cond_proj = Linear(cond_proj_dim, in_channels, bias=False) if cond_proj_dim is not None else None
        assert act_fn == "silu", "Only SiLU activations are supported."
        self.act = SiLU()
        self.linear_2 = Linear(time_embed_dim, out_dim if out_dim is not None else time_embed_dim)
        assert post_act_fn in (None, "silu"), "Only SiLU post-activation supported."
        self.post_act = SiLU() if post_act_fn is not None else None

    def forward(self, sample: Tensor, condition: Tensor = None):
        """What the layers make of the steps."""
        if condition is not None:
            sample = sample + self.cond_proj(condition)
        sample = self.linear_2(self.act(self.linear_1(sample)))
        return sample if self.post_act is None else self.post_act(sample)


class Timesteps(Module):
    """op.get_timestep_embedding."""

    def __init__(self, num_channels, flip_sin_to_cos=False, downscale_freq_shift=1):
        self.num_channels, self.flip_sin_to_cos, self.downscale_freq_shift = num_channels, flip_sin_to_cos, downscale_freq_shift

    def forward(self, x: Tensor):
        """The embedding."""
        return op.get_timestep_embedding(x, embedding_dim=self.num_channels, flip_sin_to_cos=self.flip_sin_to_cos,
                                         downscale_freq_shift=self.downscale_freq_shift)


class Attention(Module):
    """Attention with several heads, from one sequence to another one or to itself."""

    def __init__(self, query_dim, cross_attention_dim=None, heads=8, dim_head=64, bias=False, norm_num_groups=None, out_bias=True, scale_qk=True):
        self.query_dim, self.cross_attention_dim = query_dim, cross_attention_dim or query_dim
        self.heads, self.dim_head, self.bias, self.out_bias = heads, dim_head, bias, out_bias
        self.norm_num_groups, self.scale_qk = norm_num_groups, scale_qk
        self.scale, self.inner_dim = dim_head ** -0.5 if scale_qk else 1.0, dim_head * heads
        self.to_q = Linear(query_dim, self.inner_dim, bias=bias)
        self.to_k = Linear(self.cross_attention_dim, self.inner_dim, bias=bias)
        self.to_v = Linear(self.cross_attention_dim, self.inner_dim, bias=bias)
        self.group_norm = GroupNorm(num_channels=query_dim, num_groups=norm_num_groups, affine=True) if norm_num_groups is not None else None
        self.to_out = ModuleList([Linear(self.inner_dim, query_dim, bias=out_bias)])

    def forward(self, hidden_states: Tensor, encoder_hidden_states: Tensor = None, attention_mask: Tensor = None, **cross_attention_kwargs):
        """The attended states."""
        assert attention_mask is None, "Attention mask not yet supported."
        if self.group_norm is not None:
            hidden_states = self.group_norm(hidden_states, channel_axis=2, axes=[1])
        source = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        width = self.inner_dim // self.heads
        parts = [self.to_q(hidden_states), self.to_k(source), self.to_v(source)]
        query, key, value = [op.reshape(x, [0, -1, self.heads, width]) for x in parts]
        attended = op.scaled_dot_product_attention(query, key, value, is_causal=False)
        return self.to_out[0](op.reshape(attended, (0, -1, self.heads * width)))
