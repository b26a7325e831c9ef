"""Exercises with hidden cases, and "which primitive was this?" made from a trace."""
import ast
import inspect
import random
import re

from . import cells


class Unanswerable(Exception):
    """The question cannot be put."""


# ---- exercises ----


def split_cases(text):
    """[(name, code, first line)] of a text in which `# case: NAME` begins a case; what stands before belongs to all."""
    before, found = [], []
    for number, line in enumerate(text.splitlines()):
        head = line.strip()
        if head.startswith("# case:"):
            found.append([head[len("# case:"):].strip(), [], number + 1])
        elif found:
            found[-1][1].append(line)
        else:
            before.append(line)
    if not found:
        return [("", text, 0)]
    return [(name, "\n".join(before + [""] * max(0, at - len(before)) + body) + "\n", at) for name, body, at in found]


def _told(result):
    """Why a case fails, the reason in its first line: what the case itself says; the sentence of a finding of the engine; else the exception."""
    name, message = result["name"], result["message"]
    finding = re.search(r"^error\[[^\]]*\]: (.*)$", message, re.M)
    if name == "AssertionError" and message:
        return message
    if finding is not None:
        return f"{name}: {finding.group(1)}\n{message}"
    return f"{name}: {message.removeprefix(name + ': ')}".rstrip(": ")


def run_cases(code, cases, name, names):
    """The learner's code in the names of the cells, then each case in a copy of them."""
    answer = cells.run(code, name, names, lambda view: None)
    if answer["status"] != "ok":
        return dict(answer, cases=[])
    results = []
    for number, (title, text, _) in enumerate(split_cases(cases), 1):
        result = cells.run(text, f"{name}, case {number}", dict(names), lambda view: None)
        passed = result["status"] == "ok"
        message = "" if passed else _told(result)
        lines = [line.strip() for line in message.splitlines() if line.strip()] or [""]
        if len(lines) > 1 and lines[1].startswith("Mismatched elements"):       # of numpy.testing
            lines[0] = f"{lines[0]}; {lines[1]}"
        places = {key: result[key] for key in ("first", "second", "yours", "wanted", "arrays") if key in result}
        results.append({"name": title or f"case {number}", "passed": passed, "message": lines[0][:300].rstrip(":"), "detail": message, **places})
    return {"status": "ok" if all(r["passed"] for r in results) else "failed", "cases": results}


# ---- which primitive was this? ----


def changing_steps(schedule):
    """Numbers of the instructions that change the program."""
    return [i for i, name, flags in _instructions(schedule) if not flags & 3 and name != "enter_postproc"]


def _instructions(schedule):
    from tvm.tir.schedule import schedule as table

    impl = schedule.trace._impl
    for i in range(impl.n()):
        row = table._ROWS[impl.step(i)[0]]
        yield i, row[0], row[3]


def _name_of(schedule, at):
    return next(name for i, name, _ in _instructions(schedule) if i == at)


def _sides(names, variable, step, lap=None):
    schedule = names.get(variable)
    if schedule is None or not hasattr(schedule, "trace") or not hasattr(schedule, "_undo_to"):
        raise Unanswerable(f"there is no schedule {variable} yet; run the cells before this question")
    numbers = changing_steps(schedule)
    if not numbers or step > len(numbers):
        raise Unanswerable(f"{variable} has {len(numbers)} steps that change the program; step {step or 'the last'} is not among them")
    at = numbers[(step or len(numbers)) - 1] if lap is None else _in_turn(numbers, lap)
    before, after = schedule.copy(), schedule.copy()
    before._undo_to(at)
    after._undo_to(at + 1)
    return schedule, at, before, after


def _in_turn(numbers, lap):
    """Every step comes once before one comes again, in another order each time, and never the same one twice in a row."""
    order, last = [], None
    for turn in range(lap // len(numbers) + 1):
        order = random.Random(turn).sample(numbers, len(numbers))
        if len(order) > 1 and order[0] == last:
            order[0], order[-1] = order[-1], order[0]
        last = order[-1]
    return order[lap % len(numbers)]


class _Named(ast.NodeTransformer):
    """The handles of a call in their order, each by the name of what it stands for; what was sampled by its number."""

    def __init__(self, names):
        self.names = iter(names)

    def visit_Name(self, node):
        return ast.Name(next(self.names)) if re.fullmatch(r"[blv]\d+", node.id) else node

    def visit_Lambda(self, node):
        return node


def _written(schedule, before, at):
    """The step as one would write it beside the program: blocks and loops by their names, and nothing that is the default."""
    line = schedule.trace.as_python()[at].strip()
    told = {"LoopRV": lambda loop: loop.loop_var.name, "BlockRV": lambda block: block.name_hint, "Var": str}
    names = [told[type(rv).__name__](before.get(rv)) for rv in schedule.trace.insts[at].inputs if type(rv).__name__ in told]
    call = ast.parse(line).body[0].value
    usual = inspect.signature(getattr(type(schedule), call.func.attr)).parameters
    given = [one for one in call.keywords if one.arg not in usual or ast.unparse(one.value) != repr(usual[one.arg].default)]
    order = [name for name in usual if name != "self"]
    plain = given[:next((i for i, one in enumerate(given) if i >= len(order) or one.arg != order[i]), len(given))]
    made = ast.Call(ast.Name(call.func.attr), call.args + [one.value for one in plain], given[len(plain):])
    return ast.unparse(ast.fix_missing_locations(_Named(names).visit(made)))


_KIN = {
    "split": ["fuse", "reorder", "unroll"], "fuse": ["split", "reorder", "vectorize"], "reorder": ["fuse", "split", "compute_at"],
    "vectorize": ["unroll", "parallel", "split"], "parallel": ["vectorize", "unroll", "bind"], "unroll": ["vectorize", "parallel", "split"],
    "compute_at": ["reverse_compute_at", "compute_inline", "reorder"], "reverse_compute_at": ["compute_at", "reverse_compute_inline", "reorder"],
    "compute_inline": ["reverse_compute_inline", "compute_at", "fuse"], "reverse_compute_inline": ["compute_inline", "reverse_compute_at", "fuse"],
    "decompose_reduction": ["rfactor", "split", "cache_write"], "rfactor": ["decompose_reduction", "split", "cache_write"],
    "cache_read": ["cache_write", "compute_at", "set_scope"], "cache_write": ["cache_read", "rfactor", "set_scope"],
    "blockize": ["tensorize", "fuse", "decompose_reduction"], "tensorize": ["blockize", "vectorize", "unroll"],
}


def primitive(names, variable, step, lap=None):
    """The two programs, the names to choose from.  lap: of a drill, which goes through all steps without end."""
    schedule, at, before, after = _sides(names, variable, step, lap)
    line = _written(schedule, before, at)
    call = _name_of(schedule, at)
    choices = [call] + _KIN.get(call, ["split", "reorder", "fuse"] if call not in ("split", "reorder", "fuse") else ["unroll", "vectorize", "parallel"])
    random.Random(at + sum(map(ord, call))).shuffle(choices)
    return {"status": "ok", "before": before.mod.script(), "after": after.mod.script(), "choices": choices, "primitive": call, "line": line,
            "steps": len(changing_steps(schedule))}


def check_primitive(names, variable, step, answer, lap=None):
    """A name is compared; a call is applied and the programs are compared by structure.  message: what Python said of a call that cannot be
    applied; applies: it can."""
    import tvm

    schedule, at, before, after = _sides(names, variable, step, lap)
    line = _written(schedule, before, at)
    right = _name_of(schedule, at)
    answer = answer.strip()
    if "(" not in answer:
        return {"status": "ok", "right": answer == right, "line": line, "message": ""}
    space = _handles(schedule, before, at)
    space.update(sch=before, tvm=tvm)
    call = answer if answer.startswith("sch.") or "=" in answer.split("(")[0] else f"sch.{answer}"
    result = cells.run(call + "\n", "answer", space, lambda view: None)
    if result["status"] != "ok":
        return {"status": "ok", "right": False, "line": line, "message": f"{result['name']}: {result['message']}"}
    same = tvm.ir.structural_equal(before.mod, after.mod)
    return {"status": "ok", "right": bool(same), "line": line, "applies": True, "message": ""}


def _handles(schedule, before, at):
    """The loops and blocks of the program before, by their names, so that an answer can be written without looking them up."""
    space = {}
    for name, func in before.mod.functions.items():
        if type(func).__name__ != "PrimFunc":
            continue
        hint = name.name_hint
        for block_name in _block_names(func):
            try:
                block = before.get_block(block_name, func_name=hint)
                space.setdefault(block_name, block)
                for loop in before.get_loops(block):
                    space.setdefault(before.get(loop).loop_var.name, loop)
            except Exception:
                continue
    return space


def _block_names(func):
    import tvm

    found = []

    def visit(node):
        if type(node).__name__ in ("Block", "SBlock") and node.name_hint != "root":
            found.append(node.name_hint)

    tvm.tir.stmt_functor.post_order_visit(func.body, visit)
    return found
