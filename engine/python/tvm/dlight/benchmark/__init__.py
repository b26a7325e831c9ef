"""How long the functions of a module take, with a number for each extent that only a run knows; and each of them as a script of its own that measures it."""
from .extract import extract_all_func_info_from_relax, extract_from_relax, extract_func_info_from_prim_func, extract_prim_func
from .measure import benchmark, benchmark_prim_func, benchmark_relax_func, default_dym_var_sample_func

__all__ = ["benchmark", "benchmark_prim_func", "benchmark_relax_func", "default_dym_var_sample_func", "extract_all_func_info_from_relax",
           "extract_from_relax", "extract_func_info_from_prim_func", "extract_prim_func"]
