"""Hexagon: not offered."""
