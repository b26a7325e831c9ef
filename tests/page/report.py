"""The page of a session (`loopscope-cli report`): its steps are walked, questions are asked about them, the accesses of
its program play; nothing in it runs that is not ours, whatever a program is called and whatever its strings say.

Run by all.py.
"""
import os
import subprocess

from said import check

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


class Pages:
    """Of a program that means harm, and of a sample."""

    def __init__(self, cli, samples, folder):
        program, steps = os.path.join(folder, "a<script>window.pwned=5<script>.py"), os.path.join(folder, "steps.py")
        self.page, self.sample = os.path.join(folder, "report.html"), os.path.join(folder, "sample.html")
        for path, content in ((program, HOSTILE), (steps, STEPS)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        subprocess.run([cli, "report", program, "--steps", steps, "-o", self.page, "--no-time"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([cli, "report", os.path.join(samples, "mlp.py"), "-o", self.sample, "--no-time"], check=True, stdout=subprocess.DEVNULL)

    def read(self, browser):
        browser.open(self.page)
        stepped(browser)
        drilled(browser)
        played(browser)
        check("nothing of the program ran", browser.run("return window.pwned === undefined"))
        check("its strings stand there as text", "onerror=window.pwned=2" in browser.run("return document.body.textContent"))
        said = browser.errors()
        check("the console has nothing to say", said == [], said)
        ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
        check("each id is there once", len(ids) == len(set(ids)))
        browser.open(self.sample)
        press(browser, "Graph")
        check("a program of Relax has its graph, as a picture and as a list", len(browser.find(".graph svg rect")) > 3 and "matmul" in text(browser, ".graph"))
        check("and asks nothing where there is no step", browser.find("#drill") == [])
        check("the console is still silent", browser.errors() == [])
