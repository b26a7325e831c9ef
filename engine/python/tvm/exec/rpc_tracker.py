"""A program of the machines that serve devices: not offered, as rpc_server is not."""
from .rpc_server import main

if __name__ == "__main__":
    main()
