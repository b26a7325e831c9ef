"""Not there yet."""
