"""What can be known of functions and statements."""
import _loopscope as _core

from .anchor import find_anchor_block
from .checks import (OOBChecker, assert_pure_function, calculate_allocated_bytes, calculate_constant_bytes, calculate_workspace_bytes, is_pure_function,
                     repeated_definition, second_thread_of_a_name, told, verify_ssa)
from .flops import estimate_tir_flops
from .gpu import verify_gpu_code
from .lca import detect_buffer_access_lca
from .vtcm import get_vtcm_compaction_passes
from . import _ffi_api


def expr_deep_equal(lhs, rhs):
    """Are two expressions the same, variables by identity?"""
    return _core.deep_equal(lhs, rhs)


def get_block_access_region(block, buffer_var_map=None):
    """[reads, writes, opaques] of a block in the buffers of a map from variables; without one in all that come from outside."""
    buffers = None if buffer_var_map is None else list(buffer_var_map.values())
    return [list(part) for part in _core.access_region(block, buffers)]


get_sblock_access_region = get_block_access_region


def get_block_read_write_region(block, buffer_var_map=None):
    """[reads, writes] of a block, opaque accesses in both."""
    if buffer_var_map is not None:
        return [list(part) for part in _core.read_write_region(block, list(buffer_var_map.values()))]
    reads, writes, opaques = get_block_access_region(block)
    return [reads + opaques, writes + opaques]


get_sblock_read_write_region = get_block_read_write_region


def verify_well_formed(obj, assert_mode=True):
    """Is a function or module well formed?  With assert_mode what is wrong is raised."""
    findings = _core.verify(obj)
    wrong = None if findings is None else told(findings)
    if wrong is None:
        twice = repeated_definition(obj)
        wrong = None if twice is None else f"TIR is ill-formed, due to multiple definitions of variable {twice}."
    if wrong is None:
        name = second_thread_of_a_name(obj)
        wrong = None if name is None else f"TIR is ill-formed: two variables of one function stand for {name}."
    if wrong is not None and assert_mode:
        raise ValueError(wrong)
    return wrong is None


def undefined_vars(node, defs=None):
    """Variables that are used outside of where they are made, in the order of their first use.  A buffer uses its data, shape,
    strides and offset where it is accessed or declared."""
    from .scopes import undefined

    return undefined(node, defs)


def verify_memory(func):
    """Does a function for a GPU access memory from outside only under its threads?  Functions for processors always do."""
    from .scopes import outside_of_threads

    return not outside_of_threads(func)
