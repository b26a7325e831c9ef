"""Disco: one program on several workers, each with values of its own. The workers are threads of this process, or processes, on the CPU."""
from .session import DModule, DPackedFunc, DRef, ProcessSession, Session, ThreadedSession
