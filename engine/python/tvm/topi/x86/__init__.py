"""Operators for x86: what their targets can do."""
