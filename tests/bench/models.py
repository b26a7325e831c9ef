"""What the models of cost are worth, without the noise of measuring: searches among programs that were measured once.

    /usr/bin/python3 tests/bench/models.py [--record FOLDER | --replay FOLDER] [--trials N] [--seeds N] [--operators a,b,..]

For each operator of tuners.py and of MORE some hundreds of programs are drawn and measured: by chance, and by searches with each model.  Then, for each seed, a
search is given four fifths of them: it takes the sixteen of a hundred that are expected to be fastest before anything was measured (by chance: any sixteen),
learns, takes the next sixteen by what the model says (one in ten is any), and so on.  The figure is the best time after N trials over the best of all that
it was given.  `expected` is the analytic model alone, which never learns.  As times are read and not measured anew, models are told apart that
tuners.py cannot.  --record keeps what was measured, --replay searches in it again.  The last lines are tuners.py's: who wins, with the interval of 95 %.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import tuners

BATCH, FIRST = 16, 100
KINDS = ("chance", "expected", "ridge", "xgb")
DRAWN = (("random", ["--strategy", "random", "--trials", "150"]), ("ridge", ["--cost-model", "ridge", "--trials", "160"]),
         ("xgb", ["--cost-model", "xgb", "--trials", "160"]))


def strided():
    te = tuners.te
    a, w = te.placeholder((8, 33, 33), name="A"), te.placeholder((24, 8, 3, 3), name="W")
    c, y, x = (te.reduce_axis((0, n), name=name) for n, name in ((8, "c"), (3, "y"), (3, "x")))
    return [a, w, te.compute((24, 16, 16), lambda o, i, j: te.sum(a[c, 2 * i + y, 2 * j + x] * w[o, c, y, x], axis=[c, y, x]), name="C")]


def transposed():
    te = tuners.te
    a, b = te.placeholder((96, 80), name="A"), te.placeholder((72, 80), name="B")
    r = te.reduce_axis((0, 80), name="k")
    return [a, b, te.compute((96, 72), lambda i, j: te.sum(a[i, r] * b[j, r], axis=r), name="C")]


def distances():
    te = tuners.te
    a, b = te.placeholder((64, 24), name="A"), te.placeholder((96, 24), name="B")
    r = te.reduce_axis((0, 24), name="k")
    return [a, b, te.compute((64, 96), lambda i, j: te.sum((a[i, r] - b[j, r]) * (a[i, r] - b[j, r]), axis=r), name="D")]


def pool():
    te = tuners.te
    a = te.placeholder((32, 34, 34), name="A")
    y, x = te.reduce_axis((0, 3), name="y"), te.reduce_axis((0, 3), name="x")
    return [a, te.compute((32, 32, 32), lambda c, i, j: te.max(a[c, i + y, j + x], axis=[y, x]), name="P")]


def columns():
    te = tuners.te
    a = te.placeholder((512, 96), name="A")
    r = te.reduce_axis((0, 512), name="k")
    return [a, te.compute((96,), lambda j: te.sum(a[r, j], axis=r), name="S")]


def softmax_long():
    a = tuners.te.placeholder((16, 1024), name="A")
    return [a, tuners.topi.nn.softmax(a)]


MORE = {"strided conv2d": strided, "transposed product": transposed, "distances": distances, "max pool": pool, "column sums": columns,
        "long softmax": softmax_long}


def record(folder, name, make):
    """Draws and measures programs; nothing where they are there."""
    path = os.path.join(folder, name.replace(" ", "-"))
    os.makedirs(path, exist_ok=True)
    program = os.path.join(path, "program.py")
    with open(program, "w", encoding="utf-8") as file:
        file.write(tuners.tvm.IRModule({"main": tuners.te.create_prim_func(make())}).script())
    for seed, (drawn, arguments) in enumerate(DRAWN, start=1):
        database = os.path.join(path, drawn)
        if not os.path.exists(database):
            os.makedirs(database)
            subprocess.run([os.path.join(tuners.BUILD, "app", "cli", "loopscope-cli"), "search", program, "--space", "post-order", "--seed", str(seed),
                            "--budget-ms", "15", "--database", database] + arguments, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read(folder, name):
    """[(features, seconds)] of all programs that were measured, each once."""
    from tvm import meta_schedule as ms                         # pylint: disable=import-outside-toplevel,import-error
    import _loopscope as core                                   # pylint: disable=import-outside-toplevel,import-error

    found = {}
    for drawn, _ in DRAWN:
        path = os.path.join(folder, name.replace(" ", "-"), drawn)
        if not os.path.exists(path):
            continue
        for one in ms.database.JSONDatabase(work_dir=path).get_all_tuning_records():
            seconds = [float(second) for second in one.run_secs or ()]
            if not seconds or seconds[0] >= 1e9:
                continue
            schedule = tuners.tvm.tir.Schedule(one.workload.mod)
            one.trace.apply_to_schedule(schedule, remove_postproc=False)
            found.setdefault(schedule.mod.script(), (core.tune_features(schedule.mod), sum(seconds) / len(seconds)))
    return list(found.values())


def order(kind, seen, rest, chance):
    """`rest` in the order in which the model would measure it."""
    import _loopscope as core                                   # pylint: disable=import-outside-toplevel,import-error

    if kind == "chance":
        return chance.sample(rest, len(rest))
    if kind == "expected":
        return sorted(rest, key=lambda one: one[0][-1])
    model = core.TuneModel(kind)
    for features, seconds in seen:
        model.learn(features, seconds)
    return sorted(rest, key=lambda one: model.predict(one[0]))


def search(programs, kind, seed, trials):
    """The best time after so many trials over the best there is."""
    chance = random.Random(seed)
    given = chance.sample(programs, len(programs) * 4 // 5)
    rest = given[:FIRST] if kind == "chance" else sorted(given[:FIRST], key=lambda one: one[0][-1])
    seen = rest[:BATCH]
    taken = {id(one) for one in seen}
    while len(seen) < trials:
        rest = order(kind, seen, [one for one in given if id(one) not in taken], chance)
        if not rest:
            break
        batch = [rest.pop(chance.randrange(len(rest)) if chance.random() < 0.1 else 0) for _ in range(min(BATCH, trials - len(seen), len(rest)))]
        seen = seen + batch
        taken |= {id(one) for one in batch}
    return min(seconds for _, seconds in seen) / min(seconds for _, seconds in given)


def table(found):
    print(f"{'best time / best given':24}" + "".join(f"{kind:>18}" for kind in KINDS))
    for name, ratios in found.items():
        line = f"{name:24}"
        for kind in KINDS:
            own = ratios[kind]
            line += f"{tuners.geometric(own):8.3f} {min(own):.2f}–{max(own):.2f}".rjust(18)
        print(line)
    print(f"{'all operators':24}" + "".join(f"{math.exp(sum(math.log(tuners.geometric(one[kind])) for one in found.values()) / len(found)):18.3f}" for kind in KINDS))
    for other in KINDS[:-1]:
        print(tuners.verdict(found, "xgb", other))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record")
    parser.add_argument("--replay")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--operators", default="")
    args = parser.parse_args()
    tuners.need_tvm()
    operators = {**tuners.OPERATORS, **MORE}
    chosen = [name for name in operators if not args.operators or name in args.operators.split(",")]
    found = {}
    with tempfile.TemporaryDirectory() as own:
        folder = args.replay or args.record or own
        for name in chosen:
            if not args.replay:
                record(folder, name, operators[name])
            programs = read(folder, name)
            print(f"# {name}: {len(programs)} programs", file=sys.stderr, flush=True)
            if len(programs) > 2 * args.trials:
                found[name] = {kind: [search(programs, kind, seed, args.trials) for seed in range(1, args.seeds + 1)] for kind in KINDS}
    if not found:
        print("no operator has enough programs that were measured")
        return 1
    table(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
