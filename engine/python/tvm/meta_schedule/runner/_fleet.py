"""Programs measured on the machines of a queue, by `loopscope-cli fleet --measure`."""
import json
import os
import shutil
import subprocess

SCHEMES = ("redis://", "unix://")


def address(host, port):
    """The address of the queue that a tracker's host and port name; None: it is a tracker of somebody else's."""
    if not str(host).startswith(SCHEMES):
        return None
    scheme, rest = str(host).split("://", 1)
    if scheme == "redis" and port is not None and ":" not in rest.rsplit("@", 1)[-1]:
        rest += f":{int(port)}"
    return f"{scheme}://{rest}"


def _command():
    given = os.environ.get("LS_CLI") or shutil.which("loopscope-cli")
    here = os.path.dirname(os.path.abspath(__file__))
    near = [os.environ.get("LS_BUILD_ROOT", ""), os.path.join(here, "../../../../../.."), os.path.join(here, "../../../../..")]
    for place in [given] + [os.path.join(one, "app/cli/loopscope-cli") for one in near if one]:
        if place and os.access(place, os.X_OK):
            return place
    raise FileNotFoundError("RPCRunner: loopscope-cli, which speaks with the queue, is not in PATH; LS_CLI names it")


def _program(path):
    from ...ir.base import load_json
    from ...runtime.module import _programs

    programs = _programs(path)
    if programs is None or len(programs) != 1:
        raise ValueError(f"{path} is no program of LocalBuilder's: machines of a queue compile for their own processor, from the program itself")
    return {"module": load_json(programs[0]["module"]).script(), "target": programs[0]["target"]}


def measure(queue, kind, inputs, evaluator_config, timeout_sec):
    """(seconds, problem) of each RunnerInput, of which one is None."""
    found, jobs, which = [None] * len(inputs), [], []
    for i, one in enumerate(inputs):
        try:
            jobs.append(_program(one.artifact_path))
            which.append(i)
        except (OSError, ValueError, RuntimeError) as error:
            found[i] = (None, str(error))
    wishes = {"jobs": jobs, "kind": kind or "", "budget-ms": max(1, int(evaluator_config.min_repeat_ms * evaluator_config.repeat)), "timeout-s": int(timeout_sec),
              "wait-s": int(timeout_sec)}
    done = subprocess.run([_command(), "fleet", "--queue", queue, "--measure"], input=json.dumps(wishes), capture_output=True, text=True, check=False)
    results = json.loads(done.stdout)["results"] if done.returncode == 0 else [{"error": done.stderr.strip()}] * len(jobs)
    for i, result in zip(which, results):
        good = "median" in result and "error" not in result
        found[i] = ([result["median"] * 1e-9], None) if good else (None, result.get("error", "it has no time"))
    return found
