"""Targets under short names."""
from .table import TAGS as _TAGS
from .target import Target


def list_tags():
    """Name -> target."""
    return {name: Target(name) for name in _TAGS}


def register_tag(name, config, override=False):
    """A name for a target."""
    if name in _TAGS and not override:
        raise ValueError(f"Tag '{name}' is registered already")
    config = dict(config)
    _TAGS[name] = (config.pop("kind"), config)
    return Target(name)
