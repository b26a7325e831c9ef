"""A lesson as a page: it is stepped, folded, played, answered and handed in; nothing in it runs that is not ours; the
console has nothing to say; phone, keyboard and names for screen readers.  Run by all.py."""
import json
import os
import subprocess
import time

from said import check

# Each hostile text is wanted as text, and nowhere as anything else.
HOSTILE = '''---
title: "Pages </title><script>window.pwned = 1</script>"
id: hostile
needs: numpy
---

Words with <b>HTML</b>, [a link](javascript:window.pwned=2), ![x](nowhere.png) and `</script><script>window.pwned=3</script>`.

```python {id=one, view=history, mark="T.grid"}
import tvm, numpy as np
from tvm import te
A = te.placeholder((8, 8), name="A")
B = te.compute((8, 8), lambda i, j: A[i, j] * 2.0, name="B")
sch = tvm.tir.Schedule(te.create_prim_func([A, B]))
i, j = sch.get_loops(sch.get_block("B"))
j0, j1 = sch.split(j, [2, 4])
sch.reorder(j1, i)
sch.vectorize(sch.get_loops(sch.get_block("B"))[2])
sch
```

## Two

```predict {id="q&<1>"}
What </script><img src=x onerror="window.pwned=4"> is it?

- ( ) Not `<img src=x onerror=window.pwned=5>`
  > Look at <i>this</i>.
- (x) This & that
---
Because <script>window.pwned=6</script>.
```

```python
print("</script><script>window.pwned=7</script><!--")
```

```primitive {schedule=sch, step=1}
Which one?
```

```python {view=run, stops="write B[0, 3]", ask=element}
te.create_prim_func([A, B])
```

```python {view=accesses}
te.create_prim_func([A, B])
```

```python {view=graph}
C = te.compute((8, 8), lambda i, j: B[i, j] + 1.0, name="C")
te.compute((8, 8), lambda i, j: te.max(C[i, j], B[i, j]), name="D")
```

```python {expect=ScheduleError}
sch.compute_inline(sch.get_block("B"))
```

```exercise {id=double}
Write `double(n)`.
--- start
def double(n):
    return n  # </textarea><script>window.pwned=8</script>
--- cases
# case: three
assert double(3) == 6
--- hint
First </div><script>window.pwned=9</script>.
--- hint
Second.
--- solution
def double(n):
    return 2 * n
```
'''


def export(cli, path, out, *more):
    """The page of a lesson; its size."""
    subprocess.run([cli, "lesson", "export", path, "-o", out, *more], check=True, stdout=subprocess.DEVNULL)
    return os.path.getsize(out)


def shown(browser, css):
    """Texts of what can be seen."""
    return [browser.text(e) for e in browser.find(css)]


def press(browser, name, within="body"):
    """The first button that can be seen with this text in it."""
    for element in browser.find(f"{within} button"):
        if name in browser.text(element):
            browser.click(element)
            return
    raise LookupError(name)


def steps(browser):
    history = "section[id=one]"
    check("a schedule is stepped from its last step", "Step 3 of 3" in shown(browser, history)[0])
    check("with what changed", browser.run("return document.querySelectorAll('#one .l.n').length") > 0)
    press(browser, "Previous", history)
    check("one back is another step", "Step 2 of 3" in shown(browser, history)[0])
    browser.type(browser.find(f"{history} .steps button")[2], "\ue013")
    check("the arrow keys step too", "Step 1 of 3" in shown(browser, history)[0])
    check("the words say what it did", any("j -> j_0, j_1" in text for text in shown(browser, f"{history} p")))
    browser.run("const s = document.querySelector('#one select'); s.value = 'nest'; s.dispatchEvent(new Event('change'))")
    check("the loops are a tree", any("vectorized" in t for t in shown(browser, f"{history} .tree")) is False and len(browser.find(f"{history} .tree b")) >= 3)


def questions(browser):
    box = "section[data-question='0']"
    check("what answers a question is not seen before", "window.pwned=7" not in " ".join(shown(browser, "section.cell")))
    press(browser, "Check", box)
    check("nothing chosen is said", "Choose an answer first" in shown(browser, f"{box} .verdict")[0])
    browser.click(browser.find(f"{box} input")[0])
    press(browser, "Check", box)
    check("a wrong choice has its own reply", "Look at" in shown(browser, f"{box} .verdict")[0] and "✗" in shown(browser, f"{box} .verdict")[0])
    check("and the explanation waits", shown(browser, f"{box} .answer") == [""])
    browser.click(browser.find(f"{box} input")[1])
    browser.type(browser.find(f"{box} input")[1], "\ue007")
    check("Enter checks; the right one is told", "✓" in shown(browser, f"{box} .verdict")[0])
    check("then comes the explanation, and the cell", "Because" in shown(browser, f"{box} .answer")[0] and "window.pwned=7" in " ".join(shown(browser, "section.cell")))
    made = "section[data-question='1']"
    check("the generated question shows its change", len(browser.find(f"{made} .l.g")) > 0)
    labels = shown(browser, f"{made} label")
    browser.click(browser.find(f"{made} input")[labels.index("split")])
    press(browser, "Check", made)
    check("and knows its answer", "✓" in shown(browser, f"{made} .verdict")[0])
    check("a hint is hidden at first", shown(browser, ".hint") == ["", ""])
    press(browser, "Hint")
    check("and comes in stages", shown(browser, ".hint")[0] != "" and shown(browser, ".hint")[1] == "")
    area = browser.find("section[data-exercise] textarea")[0]
    check("the start of an exercise is text", "window.pwned=8" in browser.run("return document.querySelector('section[data-exercise] textarea').value"))
    browser.run("arguments[0].value = ''", {"element-6066-11e4-a52e-4f735466cecf": area})
    browser.type(area, "def double(n): return 2 * n")


def drills(browser):
    press(browser, "Begin", "#drill")
    rights = 0
    for _ in range(6):
        buttons = browser.find("#drill [role=group] button")
        check("a drill has four answers", len(buttons) == 4)
        browser.click(buttons[0])
        rights += "✓" in shown(browser, "#drill .verdict")[0]
        check("it says which it was", shown(browser, "#drill code") != [])
        press(browser, "Another one", "#drill")
    check("not every first answer is right", rights < 6)


def refused(browser):
    marked = browser.run("return [...document.querySelectorAll('.l.m')].map(e => e.textContent).filter(t => t.includes('# ←'))")
    check("the block at which a step was refused is lit", len(marked) == 1 and 'T.block("B")' in marked[0] and "# ← compute_inline" in marked[0], marked)


def pictures(browser):
    check("a graph is drawn", len(browser.find("svg rect")) >= 3 and len(browser.find("svg .edge")) >= 2)
    check("and is there as a list", browser.run("return document.querySelectorAll('.graph + details li').length") >= 3)
    press(browser, "Accesses")
    check("the accesses can be stepped", any("Access 1 of" in text for text in shown(browser, "p")))
    before = browser.run("return document.querySelector('canvas').toDataURL()")
    for _ in range(3):
        browser.click(browser.find("button[aria-label='Next']")[-1])
    check("and are drawn", browser.run("return document.querySelector('canvas').toDataURL()") != before and any("Access 4 of" in text for text in shown(browser, "p")))


def stepper(browser):
    """The run goes on to its stop, which asks; the element is the one that its write is of."""
    press(browser, "⏭")
    check("the run goes on to the stop", any("Before statement" in text for text in shown(browser, ".run p")), shown(browser, ".run p"))
    check("and nothing is marked while that is the question", browser.find(".run td.writes") == [])
    browser.type(browser.find(".run .ask input")[0], "B[0,3]")
    press(browser, "Check", ".run")
    check("the right element is right", any("✓ B[0, 3] becomes" in text and "1 of 1 right." in text for text in shown(browser, ".run .verdict")), shown(browser, ".run .verdict"))
    check("and is marked then", len(browser.find(".run td.writes")) == 1)
    filled = browser.run("return [...document.querySelectorAll('.run figure:last-child td')].filter(c => c.textContent !== '·').length")
    check("what is written so far is told from what is not", filled == 3, filled)


def hand_in(browser):
    browser.type(browser.find("#hand-in input")[0], "Ada <b>")
    press(browser, "Save my answers")
    for _ in range(300):
        if browser.downloads():
            break
        time.sleep(0.1)
    with open(browser.downloads()[0], encoding="utf-8") as file:
        saved = json.load(file)
    values = {a["part"]: a["value"] for a in saved["answers"]}
    check("what was answered is saved", saved["student"] == "Ada <b>" and values["part double"] == "def double(n): return 2 * n" and values["part q&<1>"] == "This & that", saved)
    check("what was answered at a stop is in it", any(a["kind"] == "stops" and a["value"].endswith(" B[0,3]\n") for a in saved["answers"]), saved["answers"])
    text = "\n".join(["loopscope-submission 1", saved["lesson"], saved["language"], saved["student"], saved["saved"]]
                     + [part for a in saved["answers"] for part in (a["part"], a["kind"], str(len(a["value"].encode())), a["value"])])
    import hashlib

    check("under its seal", saved["seal"] == hashlib.sha256(text.encode()).hexdigest())


def hostile_page(cli, folder):
    path, out = os.path.join(folder, "hostile.md"), os.path.join(folder, "hostile.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HOSTILE)
    export(cli, path, out)
    return out


def hostile(browser, out):
    with open(out, encoding="utf-8") as file:
        text = file.read()
    check("solutions stay at home", "2 * n" not in text)
    browser.open(out)
    check("the page is ready", browser.run("return document.documentElement.dataset.ready") == "1")
    for part in (steps, questions, refused, pictures, stepper, drills, hand_in):
        part(browser)
    check("nothing of the lesson ran", browser.run("return window.pwned === undefined"), browser.run("return window.pwned"))
    check("its links lead nowhere else", browser.run("return [...document.links].every(a => /^(https?|file|mailto):/.test(a.protocol))"))
    check("two scripts: the data and ours", browser.run("return document.scripts.length") == 2)
    check("every control has a name", browser.run("return [...document.querySelectorAll('button, input, select, textarea, canvas')]"
          ".filter(e => !e.closest('[hidden]') && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels && e.labels.length)).length") == 0)
    check("the console is silent", browser.errors() == [], "see below")
    browser.open(out)
    check("answers are there again", "✓" in shown(browser, "section[data-question='0'] .verdict")[0])
    browser.run("document.body.innerHTML += \"<img src=x onerror='window.pwned=10'>\"")
    time.sleep(0.3)
    check("the policy holds even where HTML got in", browser.run("return window.pwned === undefined"))
    said = browser.errors()
    check("which the console says: it is listened to", any("Content" in line for line in said), said)


def lesson_pages(cli, lessons, folder):
    """The pages of our lessons and their sizes."""
    pages = {}
    for name in sorted(os.listdir(lessons)):
        if name.endswith(".md") and name != "README.md" and (".en." in name or name.startswith("04")):
            out = os.path.join(folder, name + ".html")
            pages[out] = export(cli, os.path.join(lessons, name), out)
    return pages


def all_lessons(browser, pages):
    """Every lesson of ours: small enough, silent, readable on a phone."""
    browser.resize((390, 800))
    check("a window as wide as a phone", browser.run("return innerWidth") in range(350, 501), browser.run("return innerWidth"))
    for out, size in pages.items():
        browser.open(out)
        wide = browser.run("return document.documentElement.scrollWidth - window.innerWidth")
        errors = browser.errors()
        check(f"{os.path.basename(out)}: {size // 1024} KiB, silent, no wider than a phone", size < 2 << 20 and errors == [] and wide <= 0
              and browser.run("return document.documentElement.dataset.ready") == "1", (errors, wide))


class Pages:
    """Made once, which takes longer than to read them, and then read by each browser."""

    def __init__(self, cli, lessons, folder):
        self.hostile, self.lessons = hostile_page(cli, folder), lesson_pages(cli, lessons, folder)

    def read(self, browser):
        hostile(browser, self.hostile)
        all_lessons(browser, self.lessons)
