"""meta_schedule: searching for fast schedules."""
from . import builder, cost_model, database, measure_callback, mutator, postproc, runner, schedule_rule, search_strategy, space_generator
from . import arg_info, profiler, task_scheduler, utils
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
from .extracted_task import ExtractedTask
from . import tir_integration, relax_integration
from .tir_integration import tune_tir
from .utils import derived_object
