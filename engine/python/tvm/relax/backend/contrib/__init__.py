"""The place where the libraries of backend.cuda were before."""
