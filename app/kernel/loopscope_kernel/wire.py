"""JSON-RPC 2.0 with Content-Length heads over a socket."""
import json
import math


def clean(value):
    """The value with what JSON has no word for (NaN, infinities) as null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(k): clean(v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple)):
        return [clean(v) for v in value]
    return value


class Wire:
    """One end of the socket; sending is one system call after another that nothing interrupts (see Guard)."""

    def __init__(self, sock, guard):
        self.sock = sock
        self.stream = sock.makefile("rb")
        self.guard = guard

    def read(self):
        """The next message, or None when the other side is gone."""
        length = None
        while True:
            line = self.stream.readline()
            if not line:
                return None
            if line in (b"\r\n", b"\n"):
                break
            key, _, value = line.partition(b":")
            if key.strip().lower() == b"content-length":
                length = int(value)
        body = self.stream.read(length or 0)
        return json.loads(body) if body else None

    def send(self, message):
        """Sends a message whole."""
        body = json.dumps(clean(message), ensure_ascii=True, allow_nan=False).encode()
        with self.guard:
            self.sock.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        """A message that wants no answer."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})


class Guard:
    """Holds an interrupt back while a message is sent, and ends nothing while no cell runs."""

    def __init__(self):
        self.running = False
        self.depth = 0
        self.pending = False

    def signal(self, _number, _frame):
        """The handler of SIGINT."""
        if not self.running:
            return
        if self.depth:
            self.pending = True
            return
        raise KeyboardInterrupt

    def __enter__(self):
        self.depth += 1

    def __exit__(self, *_):
        self.depth -= 1
        if self.depth == 0 and self.pending:
            self.pending = False
            if self.running:
                raise KeyboardInterrupt
