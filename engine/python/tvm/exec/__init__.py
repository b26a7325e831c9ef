"""Programs that TVM starts by name."""
