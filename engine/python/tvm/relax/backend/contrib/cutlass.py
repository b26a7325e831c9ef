"""As backend.cuda.cutlass."""
from ..cuda.cutlass import annotate_workspace, partition_for_cutlass  # noqa: F401
