"""Disco: one program on several workers, each with values of its own. The workers are threads of this process, processes, or on
other nodes, on the CPU."""
from .session import DModule, DPackedFunc, DRef, ProcessSession, Session, ThreadedSession
from .wire import SocketSession
