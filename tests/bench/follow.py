"""How near following advice comes to searching: `advise --follow 12` against the best of `search` with 64 trials.

    /usr/bin/python3 tests/bench/follow.py [--programs a,b,FILE.py,..] [--cores one,all] [--trials N] [--budget SECONDS] [--out FILE.json]

For each program and number of cores both begin with the unscheduled program; what they end with is then timed by turns in one run, several times, and the
least of each is compared: 1 says that advice is as fast as the search, 0.7 is wanted.  Small programs come first; a line is printed as soon as it is known.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LS_BUILD_ROOT", os.path.join(TOP, "build"))
CLI = os.path.join(BUILD, "app", "cli", "loopscope-cli")
SAMPLES, MORE = os.path.join(TOP, "data", "samples"), os.path.join(TOP, "tests", "data", "advice")

# Those that are named first have to be reached; the others nobody looked at while the proposals were made.
WANTED = {"matmul_128": SAMPLES, "depthwise": MORE, "layer_norm": SAMPLES, "bmm_gelu": MORE, "softmax_1024": MORE, "transpose_2048": MORE, "conv2d": SAMPLES,
          "matmul_512": SAMPLES, "matmul_1024": SAMPLES}
OTHERS = {"rmsnorm": MORE, "max_pool": MORE, "column_sum": MORE, "attention": MORE, "group_conv": MORE, "dense_transposed": MORE, "reduction": SAMPLES,
          "gemv": MORE, "gemv_t": MORE, "conv1d": MORE, "avg_pool": MORE, "conv_nhwc": MORE, "log_softmax": MORE, "instance_norm": MORE, "group_norm": MORE, "embedding": MORE, "at_b": MORE,
          "transposed_conv": MORE, "global_pool": MORE, "stencil": MORE, "doubles": MORE, "mean_variance": MORE, "pointwise_chain": MORE, "gather": MORE, "histogram": MORE, "argmax_gather": MORE, "depthwise_relu": MORE,
          "depthwise_nhwc": MORE, "softmax_odd": MORE, "layer_norm_odd": MORE}
TURNS = 5


def run(cores, *arguments):
    pin = ["taskset", "-c", "0"] if cores == "one" else []
    answer = subprocess.run(pin + [CLI, *arguments, "--json"], capture_output=True, text=True, check=False)
    if not answer.stdout:
        raise RuntimeError(answer.stderr.strip()[-300:])
    return json.loads(answer.stdout)


def advised(path, cores, budget):
    answer = run(cores, "advise", path, "--follow", "12", "--budget", str(budget), "--cores", cores)
    return answer["best"]["trace"], answer["verdict"].get("cause"), answer["best"]["verdict"].get("cause")


def searched(path, cores, trials, folder):
    answer = run(cores, "search", path, "--space", "post-order", "--trials", str(trials), "--database", folder)
    return answer["best"]["trace"]


def least(path, steps, cores):
    answer = run(cores, "time", path, "--steps", steps, "--budget-ms", "300")
    result = (answer.get("results") or answer.get("versions"))[-1]
    if "min" not in result:
        raise RuntimeError(result.get("error", "it was not measured"))
    return result.get("own", result["min"]) if cores == "one" else result["min"]


def compare(name, folder, cores, arguments):
    path = name if name.endswith(".py") else os.path.join(folder, name + ".py")
    with tempfile.TemporaryDirectory() as place:
        files = []
        steps, first, last = advised(path, cores, arguments.budget)
        for label, text in (("advice", steps), ("search", searched(path, cores, arguments.trials, os.path.join(place, "db")))):
            files.append(os.path.join(place, label + ".py"))
            with open(files[-1], "w", encoding="utf-8") as out:
                out.write(text)
        times = [math.inf, math.inf]
        for _ in range(TURNS):
            times = [min(best, least(path, file, cores)) for best, file in zip(times, files)]
    return {"program": name, "cores": cores, "advice_us": times[0] / 1e3, "search_us": times[1] / 1e3, "ratio": times[1] / times[0], "held_by": first, "then_by": last}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--programs", default=",".join([*WANTED, *OTHERS]))
    parser.add_argument("--cores", default="one,all")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--out")
    arguments = parser.parse_args()
    rows = []
    print(f"{'program':18} {'cores':5} {'advice':>10} {'search':>10} {'ratio':>6}  load {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors", flush=True)
    for name in arguments.programs.split(","):
        for cores in arguments.cores.split(","):
            try:
                row = compare(name, WANTED.get(name, OTHERS.get(name, MORE)), cores, arguments)
            except (RuntimeError, KeyError, ValueError) as error:
                print(f"{os.path.basename(name):18} {cores:5} {error}", flush=True)
                continue
            rows.append(row)
            print(f"{os.path.basename(name):18} {cores:5} {row['advice_us']:8.0f} us {row['search_us']:8.0f} us {row['ratio']:6.2f}", flush=True)
    if rows:
        mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
        print(f"geometric mean {mean:.2f}; {sum(row['ratio'] >= 0.7 for row in rows)} of {len(rows)} reach 0.7")
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
