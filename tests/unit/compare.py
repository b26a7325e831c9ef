"""How figures of benchmarks are set beside the recorded ones."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import compare  # noqa: E402

COUNT = 0
FAILED = 0


def check(name, good, detail=""):
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}")
    if not good:
        print("#", detail)


def program(loop, **figures):
    return {"p": {"calibration": (loop, "ns", False), **figures}}


def line(recorded, now):
    return list(compare.compare(recorded, now))[0]


RECORDED = program(100.0, a=(1000.0, "ns", False))
check("the same", line(RECORDED, RECORDED).endswith("1.00"), line(RECORDED, RECORDED))
found = line(RECORDED, program(200.0, a=(2000.0, "ns", False)))
check("a machine of half the speed is no loss", found.endswith("1.00") and "2.00 µs" in found.split("p: a")[1][:85], found)
found = line(RECORDED, program(100.0, a=(1500.0, "ns", False)))
check("a time that grew is worse", found.endswith("1.50  worse"), found)
found = line(program(100.0, r=(10.0, "GFLOP/s", True)), program(200.0, r=(10.0, "GFLOP/s", True)))
check("a rate that stays on a machine of half the speed is better", found.endswith("0.50  better"), found)
found = line(program(100.0, m=(10.0, "MiB", False)), program(200.0, m=(10.0, "MiB", False)))
check("memory does not depend on the speed", found.endswith("1.00"), found)
found = line({}, RECORDED)
check("a figure that is new", found.endswith("new"), found)
found = list(compare.compare(program(100.0, a=(1.0, "ns", False), b=(1.0, "ns", False)), program(100.0, a=(1.0, "ns", False))))
check("one that is gone", any("p: b: recorded, and not measured now" in one for one in found), found)
slow = program(100.0, a=(2000.0, "ns", False), b=(1000.0, "ns", False))
check("what is much worse is found", compare.worse({"p": RECORDED["p"]}, slow) == ["p"] and compare.worse(RECORDED, RECORDED) == [], compare.worse(RECORDED, slow))
both = compare.better_of(slow["p"], program(200.0, a=(2000.0, "ns", False), b=(4000.0, "ns", False))["p"])
check("the better of two runs counts, each in its own measure", both["a"][0] == 1000.0 and both["b"][0] == 1000.0, both)
print(f"1..{COUNT}")
sys.exit(1 if FAILED else 0)
