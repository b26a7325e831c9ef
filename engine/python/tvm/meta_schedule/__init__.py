"""meta_schedule: searching for fast schedules."""
from . import builder, cost_model, database, measure_callback, mutator, postproc, runner, schedule_rule, search_strategy, space_generator
from . import arg_info, feature_extractor, logging, post_optimization, profiler, task_scheduler, trace_apply, utils
from .builder import Builder
from .cost_model import CostModel
from .database import Database
from .measure_callback import MeasureCallback
from .mutator import Mutator
from .postproc import Postproc
from .profiler import Profiler
from .runner import Runner
from .schedule_rule import ScheduleRule
from .search_strategy import MeasureCandidate, SearchStrategy
from .space_generator import SpaceGenerator
from .task_scheduler import TaskScheduler
from .tune_context import TuneContext
from .tune import TuneConfig, tune_tasks
from .feature_extractor import FeatureExtractor
from .extracted_task import ExtractedTask
from . import relax_integration, tir_integration
from .tir_integration import tune_tir
from .trace_apply import schedule_using_anchor_trace
from .utils import derived_object
from .._alias import moved as _moved

# What TVM has in a file for each class is one file here: the classes are found by either path.
for _package, _files in {
        "builder": "builder local_builder",
        "feature_extractor": "feature_extractor per_store_feature random_feature_extractor",
        "measure_callback": "add_to_database measure_callback remove_build_artifact update_cost_model",
        "mutator": "mutator mutate_compute_location mutate_parallel mutate_thread_binding mutate_tile_size mutate_unroll",
        "postproc": "disallow_async_strided_mem_copy disallow_dynamic_loop postproc rewrite_cooperative_fetch rewrite_layout rewrite_parallel_vectorize_unroll "
                    "rewrite_reduction_block rewrite_tensorize rewrite_unbound_block verify_gpu_code verify_vtcm_limit",
        "schedule_rule": "add_rfactor apply_custom_rule auto_bind auto_inline cross_thread_reduction multi_level_tiling parallel_vectorize_unroll "
                         "random_compute_location schedule_rule",
        "search_strategy": "evolutionary_search replay_func replay_trace search_strategy",
        "space_generator": "post_order_apply schedule_fn space_generator space_generator_union",
        "task_scheduler": "gradient_based round_robin task_scheduler"}.items():
    globals()[_package].__path__ = []
    for _file in _files.split():
        _moved(f"{__name__}.{_package}.{_file}", f"{__name__}.{_package}")


def __getattr__(name):
    """What tests use is imported where somebody asks for it."""
    if name == "testing":
        import importlib

        return importlib.import_module(f"{__name__}.testing")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
