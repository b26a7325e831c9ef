"""Runs the benchmarks and sets their figures beside the recorded ones: compare.py BUILD [--record] [NAME..]

Machines differ, and so does one machine between two hours.  Each program therefore times a loop that does not change before anything
else, and what is compared is a figure in the measure of that loop: "recorded" is what the recorded figure would be on this machine now,
and "ratio" what it costs now against that, so less than 1 is better, whatever the unit.  Programs with a figure that is much worse run
once more, and the better of the two counts: a busy machine disturbs.  No ratio is a failure.

--record writes the figures to recorded.json, beside this file, those of the programs named or of all.
"""
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
RECORDED = os.path.join(HERE, "recorded.json")
NOTABLE = 1.15
CALIBRATION = "calibration"

sys.path.insert(0, os.path.join(TOP, "tests", "ui"))
import display  # noqa: E402


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def run(build, names):
    """The figures of the programs named, or of all: {program: {name: (value, unit, more is better)}}."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "figures")
        command = ["meson", "test", "-C", build, "--no-rebuild", "--benchmark", "--logbase", "bench", "--num-processes", "1", *names]
        more = {"LS_BENCH_LOG": log}
        if display.missing():
            print("no", ", ".join(display.missing()) + ": benchmarks of the window are left out", flush=True)
            subprocess.run(command, env=dict(os.environ, **more), check=False)
        else:
            display.on_display(command, more)
        return read(log)


def read(log):
    figures = {}
    if not os.path.exists(log):
        return figures
    with open(log, encoding="utf-8") as file:
        for line in file:
            program, name, value, unit, better = line.rstrip("\n").split("\t")
            figures.setdefault(program.removeprefix("bench-"), {})[name] = (float(value), unit, better == "more")
    calibrate(figures)
    return figures


def calibrate(figures):
    """The loop is the same in all programs but Python's: the least that it took in one of them counts for all, for a busy machine disturbs it."""
    same = [program for program in figures if program != "python" and CALIBRATION in figures[program]]
    for program in same:
        figures[program][CALIBRATION] = min(figures[one][CALIBRATION] for one in same)


def relative(figure, calibration):
    """What it costs in the measure of the loop: less is better.  Memory does not depend on how fast the machine is."""
    value, unit, more = figure
    if more:
        return 1.0 / (value * calibration)
    return value / calibration if unit == "ns" else value


def at_calibration(figure, was, now):
    """The recorded value as it would be where the loop takes `now` instead of `was`."""
    value, unit, more = figure
    if more:
        return value * was / now
    return value * now / was if unit == "ns" else value


def tell(value, unit):
    if unit != "ns":
        return f"{value:.2f} {unit}"
    for limit, divisor, name in ((1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if value < limit:
            return f"{value / divisor:.2f} {name}"
    return f"{value / 1e9:.2f} s"


def ratio_of(old, now, name):
    """What that figure costs now against what it did, or None where it cannot be said."""
    if name not in old or name not in now or CALIBRATION not in old or CALIBRATION not in now:
        return None
    return relative(now[name], now[CALIBRATION][0]) / relative(tuple(old[name]), old[CALIBRATION][0])


def worse(recorded, figures):
    """The programs with a figure that is much worse."""
    return [program for program, now in figures.items() if any((ratio_of(recorded.get(program, {}), now, name) or 0) > NOTABLE for name in now)]


def better_of(one, two):
    """The figures of two runs of a program, each the better one; in the measure of its own run's loop."""
    found = dict(one)
    for name, figure in two.items():
        if name != CALIBRATION and (ratio_of(one, two, name) or 2) < 1:
            found[name] = (at_calibration(figure, two[CALIBRATION][0], one[CALIBRATION][0]), *figure[1:])
    return found


def compare(recorded, figures):
    """The lines of the table, and the ratios."""
    ratios = []
    for program, now in figures.items():
        old = {name: tuple(figure) for name, figure in recorded.get(program, {}).items()}
        for name, figure in now.items():
            if name == CALIBRATION:
                continue
            title = f"{program}: {name}"
            ratio = ratio_of(old, now, name)
            if ratio is None:
                yield f"{title:<72} {'':>14} {tell(*figure[:2]):>14}   new"
                continue
            was, is_now = old[CALIBRATION][0], now[CALIBRATION][0]
            ratios.append(ratio)
            mark = "  worse" if ratio > NOTABLE else "  better" if ratio < 1 / NOTABLE else ""
            yield f"{title:<72} {tell(at_calibration(old[name], was, is_now), figure[1]):>14} {tell(*figure[:2]):>14} {ratio:6.2f}{mark}"
        for name in old.keys() - now.keys():
            yield f"{program}: {name}: recorded, and not measured now"
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        yield f"{len(ratios)} figures, geometric mean of the ratios {mean:.2f}, from {min(ratios):.2f} to {max(ratios):.2f}"


def dump(recorded):
    """JSON with a figure in each line, so that changes can be read."""
    figures = recorded["figures"]
    programs = [f' {json.dumps(program)}: {{\n' + ",\n".join(f"  {json.dumps(name)}: {json.dumps(figures[program][name])}" for name in sorted(figures[program])) + "\n }"
                for program in sorted(figures)]
    head = "".join(f"{json.dumps(name)}: {json.dumps(recorded[name])},\n" for name in ("machine", "date", "commit"))
    return "{\n" + head + '"figures": {\n' + ",\n".join(programs) + "\n}\n}\n"


def record(recorded, figures):
    commit = subprocess.run(["git", "-C", TOP, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    recorded["machine"] = f"{processor()}, {os.cpu_count()} cores, {platform.system()}"
    recorded["date"] = datetime.date.today().isoformat()
    recorded["commit"] = commit.stdout.strip()
    recorded.setdefault("figures", {}).update(figures)
    with open(RECORDED, "w", encoding="utf-8") as file:
        file.write(dump(recorded))


def main():
    build, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    recorded = {}
    if os.path.exists(RECORDED):
        with open(RECORDED, encoding="utf-8") as file:
            recorded = json.load(file)
    figures = run(build, [name for name in arguments if not name.startswith("--")])
    if not figures:
        print("No benchmark gave a figure.")
        return 1
    again = worse(recorded.get("figures", {}), figures)
    if again:
        for program, second in run(build, again).items():
            figures[program] = better_of(figures[program], second)
    print(f"recorded: {recorded.get('machine', 'nothing yet')}, {recorded.get('date', '')}, {recorded.get('commit', '')}")
    print(f"now:      {processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}")
    print(f"{'':<72} {'recorded':>14} {'now':>14}  ratio")
    for line in compare(recorded.get("figures", {}), figures):
        print(line)
    if "--record" in arguments:
        record(recorded, figures)
        print("written to", os.path.relpath(RECORDED))
    return 0


if __name__ == "__main__":
    sys.exit(main())
