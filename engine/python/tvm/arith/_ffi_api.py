"""The functions of this folder by the names that they have in the registry."""
from .analyzer import Analyzer
from .bound import deduce_bound as DeduceBound
from .domain_touched import domain_touched as DomainTouched
from .domain_touched import domain_touched_access_map as DomainTouchedAccessMap
from .int_set import estimate_region_lower_bound as EstimateRegionLowerBound
from .int_set import estimate_region_strict_bound as EstimateRegionStrictBound
from .int_set import estimate_region_upper_bound as EstimateRegionUpperBound
from .int_set import union_lower_bound as UnionLowerBound
from .int_solver import solve_inequalities_as_condition as SolveInequalitiesAsCondition
from .int_solver import solve_linear_equations as SolveLinearEquations
from .iter_affine_map import detect_iter_map as DetectIterMap
from .narrow import narrow_predicate_expression as NarrowPredicateExpression
from .pattern import detect_clip_bound as DetectClipBound
from .pattern import detect_common_subexpr as DetectCommonSubExpr
from .pattern import detect_linear_equation as DetectLinearEquation
