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


def __getattr__(name):
    """What tests use is imported where somebody asks for it."""
    if name == "testing":
        import importlib

        return importlib.import_module(f"{__name__}.testing")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
