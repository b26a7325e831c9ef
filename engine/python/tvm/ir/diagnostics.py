"""What is said of a program while it is read: findings with their places, and who shows them.

An error of the reader carries its findings.  A renderer that a program gives (override_renderer) is called with them
before the error is raised; as the reading ends at the first error for it, it sees that one alone."""
import enum
import json

from ..error import DiagnosticError
from .base import Span


class DiagnosticLevel(enum.IntEnum):
    """How grave a finding is."""

    BUG = 10
    ERROR = 20
    WARNING = 30
    NOTE = 40
    HELP = 50


class Diagnostic:
    """One finding."""

    def __init__(self, level, span, message):
        self.level, self.span, self.message = DiagnosticLevel(level), span, message

    def __repr__(self):
        return f"{self.level.name.lower()}: {self.message}"


class DiagnosticRenderer:
    """Shows the findings of a context by a function."""

    def __init__(self, render_func):
        self._render = render_func

    def render(self, ctx):
        """Shows the findings."""
        return self._render(ctx)


class DiagnosticContext:
    """Findings that are gathered, and their renderer."""

    def __init__(self, module=None, renderer=None):
        self.module, self.renderer, self.diagnostics = module, renderer or get_renderer(), []

    def emit(self, diagnostic):
        """Adds a finding."""
        self.diagnostics.append(diagnostic)

    def render(self):
        """Shows the findings; errors among them are raised."""
        self.renderer.render(self)
        grave = [x for x in self.diagnostics if x.level <= DiagnosticLevel.ERROR]
        if grave:
            raise DiagnosticError("\n".join(repr(x) for x in grave))

    def get_renderer(self):
        """Who shows the findings."""
        return self.renderer


def _print(ctx):
    for finding in ctx.diagnostics:
        print(finding)


_OVERRIDE = None


def override_renderer(render_func):
    """Lets a function of the context show findings; None means the usual way."""
    global _OVERRIDE
    _OVERRIDE = DiagnosticRenderer(render_func) if render_func is not None else None


def get_renderer():
    """Who shows findings now."""
    return _OVERRIDE or DiagnosticRenderer(_print)


def _span(finding):
    line, column = finding.get("line", 0), finding.get("column", 0)
    return Span(finding.get("file") or "<str>", line, finding.get("end_line", line), column, finding.get("end_column", column))


def tell(error):
    """Gives the first error that the reader found to the renderer of the program, if it gave one."""
    if _OVERRIDE is None:
        return
    ctx = DiagnosticContext(renderer=_OVERRIDE)
    findings = [x for x in json.loads(getattr(error, "findings", "[]")) if x.get("severity") == "error"]
    if findings:
        ctx.emit(Diagnostic(DiagnosticLevel.ERROR, _span(findings[0]), findings[0]["message"]))
    else:
        ctx.emit(Diagnostic(DiagnosticLevel.ERROR, Span("<str>"), str(error)))
    _OVERRIDE.render(ctx)
