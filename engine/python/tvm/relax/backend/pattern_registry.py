"""Patterns by name."""
from ..transform import FusionPattern

_PATTERNS = []


def register_patterns(patterns):
    """Adds patterns; later ones come before earlier ones."""
    for item in patterns:
        if isinstance(item, tuple):
            _PATTERNS.append(FusionPattern(*item))
        elif isinstance(item, FusionPattern):
            _PATTERNS.append(item)
        else:
            raise TypeError(f"Cannot register type {type(item)} as pattern")


def get_patterns_with_prefix(prefix):
    """The patterns whose names begin so, the latest first."""
    return [p for p in reversed(_PATTERNS) if p.name.startswith(prefix)]


def get_pattern(name):
    """The pattern of this name, or None."""
    return next((p for p in _PATTERNS if p.name == name), None)
