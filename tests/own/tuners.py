"""The benchmark `tuners` says who wins, and says plainly when nobody does."""
import os
import random
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "bench"))
import tuners                                   # pylint: disable=wrong-import-position  # noqa: E402

COUNT = FAILED = 0


def check(name, passed, detail=""):
    global COUNT, FAILED                        # pylint: disable=global-statement
    COUNT += 1
    FAILED += not passed
    print(f"{'ok' if passed else 'not ok'} {COUNT} - {name}")
    if not passed:
        print("#", detail)


def made_up(factor, noise, operators=10):
    """Times of searches of which xgb's take `factor` of the others'."""
    draw = random.Random(3)
    return {f"op {i}": {kind: [100 * (i + 1) * (factor if kind == "xgb" else 1) * draw.uniform(1 - noise, 1 + noise) for _ in range(5)] for kind in tuners.KINDS}
            for i in range(operators)}


for other in ("ridge", "chance"):
    said = tuners.verdict(made_up(0.8, 0.05), "xgb", other)
    check(f"faster programs win over {other}", said.startswith(f"xgb wins over {other}") and "0.8" in said, said)
    said = tuners.verdict(made_up(1.25, 0.05), "xgb", other)
    check(f"slower ones lose against {other}", said.startswith(f"xgb LOSES against {other}"), said)
    said = tuners.verdict(made_up(1.0, 0.2), "xgb", other)
    check(f"no difference is no win over {other}", said.startswith(f"xgb does NOT win over {other}"), said)
    said = tuners.verdict(made_up(0.98, 0.4), "xgb", other)
    check(f"nor is one that is smaller than its spread, over {other}", said.startswith(f"xgb does NOT win over {other}"), said)
LUCKY = made_up(1.0, 0.02)
LUCKY["op 0"]["xgb"] = [time / 20 for time in LUCKY["op 0"]["xgb"]]
check("one lucky operator is no win", "does NOT win" in tuners.verdict(LUCKY, "xgb", "ridge"), tuners.verdict(LUCKY, "xgb", "ridge"))
GAPS = made_up(0.8, 0.05)
GAPS["op 1"]["xgb"] = [None] * 5
check("searches that found nothing are left out", "wins" in tuners.verdict(GAPS, "xgb", "ridge"))
check("one operator says nothing", "too few" in tuners.verdict(made_up(0.5, 0.01, 1), "xgb", "ridge"))
print(f"1..{COUNT}")
sys.exit(1 if FAILED else 0)
