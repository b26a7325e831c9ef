"""What the rules ask of a program."""
from .access import IterSplit, detect_dominant_read, iter_splits, variables_of
from .blocks import BlockInfo, IterInfo, get_block_info, get_reduction_blocks, get_root_block, normalize_prim_func
from .gemv import is_broadcast_epilogue, is_gemv, normalize
from .blocks import get_block_info as get_sblock_info
from .product import Product, detect_product
