"""FlashInfer: kernels of attention that its package writes and nvcc compiles for a GPU.  Neither is here; the names are, and say so."""


def _needed(what):
    """The package; raises where it is not installed."""
    try:
        import flashinfer
    except ImportError:
        raise ImportError(f"FlashInfer is not installed, which writes kernels of {what} (see https://docs.flashinfer.ai); the paged cache has kernels without it: "
                          "tvm.relax.frontend.nn.llm.kv_cache.TIRPagedKVCache") from None
    raise NotImplementedError(f"kernels of {what} that flashinfer {getattr(flashinfer, '__version__', '')} writes are not loaded here: they need nvcc and a GPU")


def gen_flashinfer_prefill_module(dtype_q, dtype_kv, dtype_o, qk_head_dim, v_head_dim, target=None, enable_inline_rope=True, num_threads=8):
    """Modules of prefill of these types and heads."""
    del dtype_q, dtype_kv, dtype_o, target, num_threads
    if enable_inline_rope and qk_head_dim != v_head_dim:
        raise ValueError("Inline rope needs heads of one size for queries and values")
    _needed("prefill")


def gen_flashinfer_decode_module(dtype_q, dtype_kv, dtype_o, qk_head_dim, v_head_dim, target=None, enable_inline_rope=True, num_threads=8):
    """Modules of decode of these types and heads."""
    del dtype_q, dtype_kv, dtype_o, qk_head_dim, v_head_dim, target, enable_inline_rope, num_threads
    _needed("decode")


def gen_flashinfer_mla_module(dtype_q, dtype_kv, dtype_o, head_dim_ckv, head_dim_kpe, target=None, num_threads=8):
    """Modules of attention over latent vectors."""
    del dtype_q, dtype_kv, dtype_o, head_dim_ckv, head_dim_kpe, target, num_threads
    _needed("latent attention")


def gen_sampling_module(target=None, num_threads=8):
    """Modules of sampling."""
    del target, num_threads
    _needed("sampling")


def gen_grouped_gemm_module(target=None, num_threads=8):
    """Modules of products of groups."""
    del target, num_threads
    _needed("grouped products")
