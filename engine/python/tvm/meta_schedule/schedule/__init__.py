"""Schedules by hand that searches may apply."""
