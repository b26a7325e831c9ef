"""What a profile tells."""


class Report:
    """Calls with their times, and figures of devices."""

    def __init__(self, calls, device_metrics=None, configuration=None):
        self.calls, self.device_metrics, self.configuration = list(calls), dict(device_metrics or {}), dict(configuration or {})

    def csv(self):
        """As comma separated values."""
        columns = list(dict.fromkeys(key for call in self.calls for key in call))
        return "\n".join([",".join(columns)] + [",".join(str(call.get(key, "")) for key in columns) for call in self.calls]) + "\n"

    def table(self, sort=True, aggregate=True, col_sums=True):
        """As a table."""
        return self.csv().replace(",", "  ")

    def json(self):
        """As JSON."""
        import json

        return json.dumps({"calls": self.calls, "device_metrics": self.device_metrics, "configuration": self.configuration})

    @classmethod
    def from_json(cls, text):
        """The way back."""
        import json

        data = json.loads(text)
        return cls(data["calls"], data["device_metrics"], data.get("configuration"))


class MetricCollector:
    """Counters of a device: none are offered."""


def profile_function(mod, dev, collectors, func_name=None, warmup_iters=10):
    """Not offered."""
    raise NotImplementedError("profilers of functions are not offered; time_evaluator is")
