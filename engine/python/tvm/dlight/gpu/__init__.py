"""Rules for GPUs, from special to general: matrix products, matrix times vector, reductions, transposes, anything."""
from .base import GPUScheduleRule
from .fallback import Fallback
from .gemv import GEMV
from .general_reduction import GeneralReduction
from .low_batch_gemv import LowBatchGEMV
from .matmul import Matmul
from .reduction import Reduction
from .rmsnorm import RMSNorm
from .transpose import Transpose
