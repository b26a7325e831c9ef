"""python3 -m loopscope_kernel --fd N [--memory BYTES]: answers requests until the socket closes."""
import argparse
import faulthandler
import os
import resource
import signal
import socket
import sys


# One file that a cell writes is not larger.
MOST_WRITTEN = 8 << 30


def _lower(what, value):
    hard = resource.getrlimit(what)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))


def _limits(memory):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_FSIZE, MOST_WRITTEN)
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        sanitized = "libasan" in maps.read()
    if memory > 0 and not sanitized:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def main():
    """Sets the process up and serves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    parser.add_argument("--memory", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    faulthandler.enable(all_threads=False)
    _limits(options.memory)
    os.environ.setdefault("LOOPSCOPE_STRICT", "1")
    os.environ["MPLBACKEND"] = "module://loopscope_kernel.figures"
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path not in ("", os.path.dirname(here))] + [os.path.join(os.path.dirname(here), "fallback")]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, encoding="utf-8", errors="backslashreplace")
    from .server import Server

    Server(socket.socket(fileno=options.fd)).serve()


main()
