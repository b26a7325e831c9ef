"""Help for tests."""
from .utils import assert_allclose, main, parameter, parameters, requires_llvm, enabled_targets
