"""What models of language need beside layers: attention over a paged cache of keys and values, and rotary positions."""
from . import kv_cache, position_embedding, tree_attn  # noqa: F401
