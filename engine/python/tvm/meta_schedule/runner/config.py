"""How programs are measured, and where."""
import os


class EvaluatorConfig:
    """How often a program runs: `number` calls, averaged, `repeat` times, each at least `min_repeat_ms` long."""

    def __init__(self, number=3, repeat=1, min_repeat_ms=100, enable_cpu_cache_flush=False):
        self.number, self.repeat, self.min_repeat_ms, self.enable_cpu_cache_flush = number, repeat, min_repeat_ms, enable_cpu_cache_flush

    @staticmethod
    def _normalized(config):
        return config if config is not None else EvaluatorConfig()


class RPCConfig:
    """Which tracker is asked for a device, and for how long; or the queue of a fleet (rpc_runner.py)."""

    def __init__(self, tracker_host=None, tracker_port=None, tracker_key=None, session_priority=1, session_timeout_sec=10):
        self.tracker_host, self.tracker_port, self.tracker_key = tracker_host, tracker_port, tracker_key
        self.session_priority, self.session_timeout_sec = session_priority, session_timeout_sec

    @staticmethod
    def _normalized(config):
        """What is not given comes from TVM_TRACKER_HOST, TVM_TRACKER_PORT and TVM_TRACKER_KEY."""
        config = config if config is not None else RPCConfig()
        host = config.tracker_host or os.environ.get("TVM_TRACKER_HOST")
        port = config.tracker_port or os.environ.get("TVM_TRACKER_PORT")
        key = config.tracker_key or os.environ.get("TVM_TRACKER_KEY")
        if str(host or "").startswith(("redis://", "unix://")):
            return RPCConfig(host, int(port) if port is not None else None, key or "", config.session_priority, config.session_timeout_sec)
        for name, value in (("TVM_TRACKER_HOST", host), ("TVM_TRACKER_PORT", port), ("TVM_TRACKER_KEY", key)):
            if value is None:
                raise ValueError(f"RPCConfig: {name} is not given")
        return RPCConfig(host, int(port), key, config.session_priority, config.session_timeout_sec)
