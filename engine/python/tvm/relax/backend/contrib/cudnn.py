"""As backend.cuda.cudnn."""
from ..cuda.cudnn import partition_for_cudnn  # noqa: F401
