"""Operators for ARM: what their targets can do."""
