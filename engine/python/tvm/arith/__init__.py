"""Integer arithmetic: what can be known and simplified."""
from .analyzer import Analyzer, ConstIntBound, ConstraintScope, ModularSet, ProofStrength, RewriteSimplifierStats, Extension, CompareResult
from .int_set import IntSet, IntervalSet, PresburgerSet, estimate_region_lower_bound, estimate_region_strict_bound, estimate_region_upper_bound
from .iter_affine_map import (IterMapExpr, IterMark, IterMapLevel, IterSplitExpr, IterSumExpr, detect_iter_map, inverse_affine_iter_map, iter_map_simplify,
                              normalize_iter_map_to_expr, normalize_to_iter_sum, subspace_divide)
from .pattern import detect_clip_bound, detect_common_subexpr, detect_linear_equation
from .bound import deduce_bound
from .narrow import narrow_predicate_expression
from .int_solver import (IntConstraints, IntConstraintsTransform, IntGroupBounds, solve_linear_equations, solve_linear_inequalities)


def __getattr__(name):
    if name == "_ffi_api":
        import importlib

        return importlib.import_module("._ffi_api", __name__)
    raise AttributeError(f"module 'tvm.arith' has no attribute '{name}'")
