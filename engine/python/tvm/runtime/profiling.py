"""What a profile tells."""
from ..error import _reading


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
        calls = self._together() if aggregate else self.calls
        if sort:
            calls = sorted(calls, key=lambda call: -call.get("Duration (us)", 0))
        if not calls:
            return ""
        columns = list(dict.fromkeys(key for call in calls for key in call))
        rows = [[_cell(call.get(key, "")) for key in columns] for call in calls]
        if col_sums:
            rows += [["----------"] + [""] * (len(columns) - 1), ["Sum"] + [_sum(calls, key) for key in columns[1:]]]
        for name, metrics in self.device_metrics.items() if col_sums else ():
            rows.append(["Total"] + [name if key == "Device" else _cell(metrics.get(key, "")) for key in columns[1:]])
        widths = [max(len(row[i]) for row in [columns] + rows) for i in range(len(columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [columns] + rows]
        return "\n".join(lines) + "\n" + "".join(f"\n{key}: {value}" for key, value in self.configuration.items())

    def _together(self):
        """Calls of one function with one kind of arguments as one."""
        groups = {}
        for call in self.calls:
            groups.setdefault((call.get("Name"), call.get("Device"), call.get("Argument Shapes")), []).append(call)
        numbers = ("Duration (us)", "Percent", "Count")
        return [dict(group[0], **{key: sum(call[key] for call in group) for key in numbers if key in group[0]}) for group in groups.values()]

    def __str__(self):
        return self.table()

    def json(self):
        """As JSON."""
        import json

        return json.dumps({"calls": self.calls, "device_metrics": self.device_metrics, "configuration": self.configuration})

    @classmethod
    def from_json(cls, text):
        """The way back."""
        import json

        with _reading("the JSON of a report"):
            data = json.loads(text)
            return cls(data["calls"], data["device_metrics"], data.get("configuration"))


def _cell(value):
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _sum(calls, key):
    found = [call[key] for call in calls if isinstance(call.get(key), (int, float))]
    return _cell(sum(found)) if found else ""


class MetricCollector:
    """Counters of a device: none are offered."""


def profile_function(mod, dev, collectors, func_name=None, warmup_iters=10):
    """Not offered."""
    raise NotImplementedError("profilers of functions are not offered; time_evaluator is")
