"""What all rules share: applying them, taking small blocks into others, the limits of targets."""
from .inline import auto_inline_consumer_chain, auto_inline_consumers, auto_inline_producers, try_inline, try_inline_contiguous_spatial
from .rule import ApplyDefaultSchedule, ScheduleRule
from .threads import max_threads_per_block, suggest_threads_per_block
from .common import auto_vectorize, collect_block_iter_vars_used_in_access_region, collect_vars_used_in_prim_expr, get_bytes, get_extent
from ..analysis import (BlockInfo, IterInfo, detect_dominant_read, get_block_info, get_reduction_blocks, get_root_block, is_broadcast_epilogue,
                        normalize_prim_func)
