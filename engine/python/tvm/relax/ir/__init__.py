"""Hooks around passes over Relax."""
from . import instrument
