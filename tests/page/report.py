"""The page of a session (`loopscope-cli report`), in a real browser: its steps are walked, questions are asked about them, the accesses of
its program play; nothing in it runs that is not ours, whatever a program is called and whatever its strings say.

    report.py CLI SAMPLES chromium|firefox
"""
import os
import subprocess
import sys
import tempfile

import browser
import firefox

CLI, SAMPLES, KIND = sys.argv[1:4]
Browser, missing = (firefox.Firefox, firefox.missing) if KIND == "firefox" else (browser.Browser, browser.missing)
COUNT = FAILED = 0

HOSTILE = '''from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.func_attr({"note": "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=2>"})
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.block_attr({"more": "'\\"><svg onload=window.pwned=3>"})
            B[vi, vj] = A[vi, vj] + T.float32(1)
'''
STEPS = '''b = sch.get_block("B")
i, j = sch.get_loops(b)
j0, j1 = sch.split(j, factors=[None, 4])
sch.annotate(b, "a</script><script>window.pwned=4</script>", "<b>")
sch.vectorize(j1)
'''


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}{' # ' + str(more) if not good and more != '' else ''}", flush=True)


def press(browser, name):
    """The first button with this text in it."""
    for element in browser.find("button"):
        if name in browser.text(element):
            browser.click(element)
            return
    raise LookupError(name)


def text(browser, css):
    """What stands in the first such element, seen or not."""
    return browser.run("const e = document.querySelector(arguments[0]); return e === null ? null : e.textContent", css)


def stepped(browser):
    """The steps of the page, from the last to the first."""
    place = lambda: text(browser, "[data-view='0'] .bar .dim")
    check("it opens at the last step", place() == "Step 3 of 3", place())
    check("what it added is marked", "T.vectorized" in browser.run("return [...document.querySelectorAll('[data-view=\"0\"] .l.n')].map(e => e.textContent).join('')"))
    for _ in range(3):
        press(browser, "Previous")
    check("back to the program as it was written", place() == "Step 0 of 3" and "T.vectorized" not in text(browser, "[data-view='0']").split("Step 0")[1], place())
    press(browser, "split(")
    check("a step of the list is shown", place() == "Step 1 of 3", place())


def drilled(browser):
    """A question about a step of the page."""
    press(browser, "Begin")
    asked = text(browser, "#drill")
    check("a question about one of its steps", "?" in asked and len(browser.find("#drill [role=group] button")) == 4, asked)
    browser.click(browser.find("#drill [role=group] button")[0])
    verdict = text(browser, "#drill .verdict")
    check("is answered", verdict.startswith("✓") or verdict.startswith("✗"), verdict)
    press(browser, "Another one")
    check("and another follows", text(browser, "#drill .verdict") == "")


def played(browser):
    """The accesses of the program."""
    press(browser, "Accesses")
    check("the accesses of the program can be walked", "A[0, 0]" in browser.run("return document.body.textContent"))
    browser.click(browser.find("button[aria-label=Next]")[0])
    check("one after the other", "Access 2 of" in browser.run("return document.body.textContent"))


def main():
    """All of it, on a program that means harm and on a sample."""
    need = missing()
    if need:
        print(f"1..0 # SKIP {need} is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        program, steps, page = (os.path.join(folder, name) for name in ("a<script>window.pwned=5<script>.py", "steps.py", "page.html"))
        for path, content in ((program, HOSTILE), (steps, STEPS)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        subprocess.run([CLI, "report", program, "--steps", steps, "-o", page, "--no-time"], check=True, stdout=subprocess.DEVNULL)
        browser = Browser()
        try:
            browser.open(page)
            stepped(browser)
            drilled(browser)
            played(browser)
            check("nothing of the program ran", browser.run("return window.pwned === undefined"))
            check("its strings stand there as text", "onerror=window.pwned=2" in browser.run("return document.body.textContent"))
            check("the console has nothing to say", browser.errors() == [], browser.errors())
            ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
            check("each id is there once", len(ids) == len(set(ids)))
            sample = os.path.join(SAMPLES, "mlp.py")
            subprocess.run([CLI, "report", sample, "-o", page, "--no-time"], check=True, stdout=subprocess.DEVNULL)
            browser.open(page)
            press(browser, "Graph")
            check("a program of Relax has its graph, as a picture and as a list", len(browser.find(".graph svg rect")) > 3 and "matmul" in text(browser, ".graph"))
            check("and asks nothing where there is no step", browser.find("#drill") == [])
            check("the console is still silent", browser.errors() == [])
        finally:
            browser.close()
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
