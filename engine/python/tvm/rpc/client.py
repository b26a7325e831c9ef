"""The name under which TVM keeps sessions."""
from . import LocalSession, PopenSession, RPCSession, TrackerSession, connect, connect_tracker
