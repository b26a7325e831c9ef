"""The name under which TVM keeps its server."""
from . import Server
