"""What the libraries of CUDA are offered."""
