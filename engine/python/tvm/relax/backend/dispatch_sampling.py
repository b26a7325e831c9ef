"""DispatchSampling: drawing from distributions as functions of TensorIR.

Processors get a function that compares with running sums made before; devices with threads a kernel that sums as it goes (gpu_generic/sampling.py).
"""
from ...ir import Op
from ...ir.transform import module_pass
from ..expr import Function
from ..expr_functor import mutator
from .utils import BackendDispatcher


def generic_get_sample_index(prob_dtype="float32", sample_dtype="float32", sample_indices_dtype="int64", dtype="int64"):
    """The function that finds, for each drawn number, the first place where the running sum is greater."""
    from ...script import from_source

    text = f'''
from tvm.script import tir as T

@T.prim_func(private=True)
def get_sample_index(A: T.handle, B: T.handle, C: T.handle, D: T.handle):
    batch, vocab_size = T.int64(), T.int64()
    prob = T.match_buffer(A, (batch, vocab_size), "{prob_dtype}")
    out_batch = T.int64()
    usample = T.match_buffer(B, (out_batch, 1), "{sample_dtype}")
    sample_indices = T.match_buffer(C, (out_batch, 1), "{sample_indices_dtype}")
    output_index = T.match_buffer(D, (out_batch, 1), "{dtype}")
    for i, j in T.grid(out_batch, vocab_size):
        with T.block("T_get_sample_index"):
            row, at = T.axis.remap("SS", [i, j])
            T.writes(output_index[row, 0])
            if usample[row, T.int64(0)] < prob[sample_indices[row, T.int64(0)], at] or at + T.int64(1) == vocab_size:
                if at == T.int64(0):
                    output_index[row, 0] = {_number(dtype)}
                else:
                    if usample[row, T.int64(0)] >= prob[sample_indices[row, T.int64(0)], at - T.int64(1)]:
                        output_index[row, 0] = at
'''
    return from_source(text)


def _number(dtype):
    return f"T.{dtype}(0)"


def _column(shape, what):
    if len(shape) != 2 or shape[1] != 1:
        raise ValueError(f"{what} should be a 2D tensor with shape (N, 1)")


@mutator
class SamplingDispatcher(BackendDispatcher):
    """Replaces the calls."""

    def visit_call_(self, call):
        from .. import op as _op

        if not isinstance(call.op, Op) or call.op.name != "relax.multinomial_from_uniform":
            return super().visit_call_(call)
        target = self._get_target(call.struct_info)
        call = super().visit_call_(call)
        prob, uniform_sample, sample_indices = call.args
        prob_dtype = self.get_shape_dtype(prob)[1]
        sample_shape, sample_dtype = self.get_shape_dtype(uniform_sample)
        indices_shape, indices_dtype = self.get_shape_dtype(sample_indices)
        _column(sample_shape, "uniform_sample")
        _column(indices_shape, "sample_indices")
        if self.is_gpu_target(target):
            from .gpu_generic import gpu_multinomial_from_uniform

            with target:
                kernel = gpu_multinomial_from_uniform(prob_dtype, sample_dtype, indices_dtype, call.attrs.dtype)
            gvar = self.builder_.add_func(kernel, "gpu_multinomial_from_uniform")
            return _op.call_tir(gvar, [prob, uniform_sample, sample_indices], out_sinfo=call.struct_info)
        sums = _op.cumsum(prob, axis=1, dtype=prob_dtype, exclusive=False)
        gvar = self.builder_.add_func(generic_get_sample_index(prob_dtype, sample_dtype, indices_dtype, call.attrs.dtype), "get_sample_index")
        return _op.call_tir(gvar, [sums, uniform_sample, sample_indices], out_sinfo=call.struct_info)


@module_pass(opt_level=0, name="DispatchSampling")
class DispatchSampling:
    """Drawing from distributions as functions of TensorIR."""

    def transform_module(self, mod, ctx):
        """The pass."""
        dispatcher = SamplingDispatcher(mod)
        for gvar, func in mod.functions_items():
            if isinstance(func, Function):
                dispatcher.builder_.update_func(gvar, dispatcher.visit_expr(func))
        return dispatcher.builder_.finalize()
