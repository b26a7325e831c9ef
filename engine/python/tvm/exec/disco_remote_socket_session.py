"""A node of tvm.runtime.disco.SocketSession: HOST PORT WORKERS, the host and port of the session's first node."""
import sys

from . import disco_worker  # noqa: F401  (the functions that tests of sessions call)


def main(argv):
    """Serves until the session ends."""
    if len(argv) != 3 or not argv[1].isdigit() or not argv[2].isdigit():
        raise SystemExit("usage: python3 -m tvm.exec.disco_remote_socket_session HOST PORT WORKERS")
    from ..runtime.disco.wire import serve_node

    try:
        serve_node(argv[0], int(argv[1]), int(argv[2]))
    except (OSError, ValueError) as error:
        raise SystemExit(f"no session at {argv[0]}:{argv[1]}: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
