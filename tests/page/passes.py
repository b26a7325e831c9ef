"""A log of passes as a page: listed, filtered, gone through by keys; nothing in the log runs; the console has nothing to say.  Run by all.py."""
import os
import re
import subprocess

from said import check

EVIL = "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=2>"
LOG = f"""*** IR Dump At Start ***
; ModuleID = 'm'
define i32 @f(i32 %x) {{
  %a = add i32 %x, 0
  %b = mul i32 %a, 3
  call void @g(ptr @"{EVIL}")
  ret i32 %b
}}
*** IR Dump After Nothing on f omitted because no change ***
*** IR Dump After Evil{EVIL} on f ***
define i32 @f(i32 %x) {{
  %b = mul i32 %x, 3
  call void @g(ptr @"{EVIL}")
  call void @h(ptr @"'\\22{EVIL}<!--")
  ret i32 %b
}}
*** IR Dump After Renumbering on f ***
define i32 @f(i32 %0) {{
  %2 = mul i32 %0, 3
  call void @g(ptr @"{EVIL}")
  call void @h(ptr @"'\\22{EVIL}<!--")
  ret i32 %2
}}
"""


MODULE = """define void @scale(ptr %a, i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %head
head:
  %k = load i32, ptr %i
  %c = icmp slt i32 %k, %n
  br i1 %c, label %body, label %done
body:
  %w = sext i32 %k to i64
  %e = getelementptr inbounds i32, ptr %a, i64 %w
  %x = load i32, ptr %e
  %y = mul i32 %x, 3
  store i32 %y, ptr %e
  %k1 = add nsw i32 %k, 1
  store i32 %k1, ptr %i
  br label %head
done:
  ret void
}
"""


def rows(browser):
    return browser.run("return [...document.querySelectorAll('.passes li')].map(r => r.textContent)")


def pane(browser):
    return browser.run("return document.querySelector('.pass').innerText")


def key(browser, name):
    browser.run("document.querySelector('.passes').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))", name)


def nested(browser):
    boxes = browser.find(".bar input[type=checkbox]")
    check("there is a switch for what passes ran on", len(boxes) == 2, len(boxes))
    browser.run("const w = document.querySelector('.bar input[type=search]'); w.value = ''; w.dispatchEvent(new Event('input'))")
    browser.click(boxes[1])
    check("passes stand below what they ran on", any(row.startswith("▾ function f") and "3 passes, 2 with an effect" in row for row in rows(browser)), rows(browser))
    check("in the open where one is shown", len(rows(browser)) == 5, rows(browser))
    check("as a tree", browser.run("return document.querySelector('.passes').getAttribute('role') + document.querySelectorAll('.passes [aria-level=\"2\"]').length") == "tree3")
    key(browser, "End")
    check("a pass in it can be chosen", "Renumbering" in pane(browser), pane(browser))
    key(browser, "ArrowLeft")
    check("Left goes to what it ran on", pane(browser).startswith("function f"), pane(browser))
    key(browser, "ArrowLeft")
    check("and folds it", len(rows(browser)) == 2 and rows(browser)[1].startswith("▸ function f"), rows(browser))
    check("which is said", browser.run("return document.querySelector('.passes .nest').getAttribute('aria-expanded')") == "false")
    browser.run("const w = document.querySelector('.bar input[type=search]'); w.value = 'add i32'; w.dispatchEvent(new Event('input'))")
    check("what is looked for is in the open", len(rows(browser)) == 2 and rows(browser)[1].startswith("3  Evil"), rows(browser))
    browser.run("const w = document.querySelector('.bar input[type=search]'); w.value = ''; w.dispatchEvent(new Event('input'))")
    check("and folded again behind it", len(rows(browser)) == 2, rows(browser))
    key(browser, "End")
    key(browser, "ArrowRight")
    check("Right unfolds", len(rows(browser)) == 5, rows(browser))
    if os.environ.get("LS_SHOTS"):
        browser.picture(os.path.join(os.environ["LS_SHOTS"], "page-nested.png"))
    browser.click(boxes[1])
    check("and all stand in one row again", len(rows(browser)) == 4, rows(browser))


def readers(cli, browser, folder, page):
    """Who read it, in the language of the page."""
    log = os.path.join(folder, "readers.log")
    with open(log, "w", encoding="utf-8") as file:
        file.write("*** IR Dump At Start ***\n; ModuleID = 'm'\ndefine i32 @f(i32 %x) {\n  %a = add i32 %x, 0\n  ret i32 %a\n}\n"
                   "*** IR Dump After One on f ***\ndefine i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
                   "*** IR Dump After Two on f ***\ndefine i32 @f(i32 %x) {\n  frob i32 %x\n  ret i32 %x\n}\n"
                   "# *** IR Dump After A (a) ***:\n# Machine code for function f: NoPHIs\n\nbb.0:\n  RET 0\n\n# End machine code for function f.\n\n"
                   "# *** IR Dump After B (b) ***:\n# Machine code for function f: NoPHIs\n\nbb.0:\n  NOOP\n  RET 0\n\n# End machine code for function f.\n\n")
    for language, llvm, refused, machine in (("en", "read by LLVM ", "read by the tolerant reader: LLVM: ", "this is machine code"),
                                             ("zh_CN", "由 LLVM ", "由宽松读取器读取：LLVM: ", "这是机器码"), ("ko", "(으)로 읽음", "관대한 판독기로 읽음: LLVM: ", "기계어이므로")):
        done = subprocess.run([cli, "passes", log, "--to", "html", "--language", language, "-o", page], check=False, capture_output=True, text=True)
        check(f"{language}: the page is written", done.returncode == 0, done.stderr)
        browser.open(page)
        said = []
        for _ in rows(browser):
            said.append(" ".join(browser.run("return [...document.querySelectorAll('.pass .reader')].map(n => n.textContent)")))
            key(browser, "ArrowDown")
        check(f"{language}: LLVM is named", any(llvm in one and refused not in one for one in said), said)
        check(f"{language}: so is the tolerant reader, with what LLVM said", any(refused in one for one in said), said)
        check(f"{language}: or why it was not asked", any(machine in one for one in said), said)


def reasons():
    """Each reason of the engine stands among the words of pages, letter by letter."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(top, "engine", "passlog", "reason.c"), encoding="utf-8") as file:
        texts = re.findall(r'LS_TEXT \("(.*)"\)', file.read())
    with open(os.path.join(top, "app", "page", "words.c"), encoding="utf-8") as file:
        words = file.read()
    check("pages have words for all reasons", len(texts) == 8 and all('{ "' + text + '", "' in words for text in texts), [text for text in texts if '{ "' + text + '", "' not in words])


class Pages:
    """Of a log that means harm, and of a module that is optimised and timed."""

    def __init__(self, cli, folder):
        self.cli, self.folder = cli, folder

    def read(self, browser):
        cli, folder = self.cli, self.folder
        reasons()
        module = os.path.join(folder, "scale.ll")
        log, page = os.path.join(folder, "<img src=x onerror=window.pwned=3>.log"), os.path.join(folder, "passes.html")
        with open(log, "w", encoding="utf-8") as file:
            file.write(LOG)
        done = subprocess.run([cli, "passes", log, "--to", "html", "-o", page], check=False, capture_output=True, text=True)
        check("the page is written", done.returncode == 0, done.stderr)
        browser.open(page)
        check("the script is through", browser.run("return document.documentElement.dataset.ready") == "1")
        check("passes with an effect are listed", len(rows(browser)) == 2 and rows(browser)[0].startswith("3  Evil"), rows(browser))
        check("with what they changed", "+1 −1 ~1" in rows(browser)[0], rows(browser))
        check("one that only renumbers says so", "only names" in rows(browser)[1], rows(browser))
        check("what went and what came is shown", "− " in pane(browser) and "%a = add i32 %x, 0" in pane(browser) and "+ " in pane(browser), pane(browser))
        check("as text", EVIL in pane(browser), pane(browser))
        key(browser, "ArrowDown")
        check("an arrow goes on", "Renumbering" in pane(browser) and "null" not in pane(browser), pane(browser))
        check("the list says where one is", browser.run("return document.querySelector('.passes').getAttribute('aria-activedescendant')") == "pass3")
        browser.click(browser.find(".bar input[type=checkbox]")[0])
        check("all passes", len(rows(browser)) == 4, rows(browser))
        browser.type(browser.find(".bar input[type=search]")[0], "add i32")
        check("a text narrows them to those that touched it", len(rows(browser)) == 1, rows(browser))
        nested(browser)
        check("nothing of the log ran", browser.run("return window.pwned === undefined && document.querySelectorAll('main img').length === 0"))
        with open(module, "w", encoding="utf-8") as file:
            file.write(MODULE)
        done = subprocess.run([cli, "passes", module, "--run", "scale", "--args", "i32[1024] i32=1024", "--to", "html", "-o", page], check=False, capture_output=True, text=True)
        check("times of a program are written", done.returncode == 0, done.stderr)
        browser.open(page)
        check("the first stands before all passes", "the program takes " in rows(browser)[0], rows(browser)[:3])
        widths = browser.run("return [...document.querySelectorAll('.passes li .share')].map(n => n.getBoundingClientRect().width)")
        times = [float(found[1]) * {"ns": 1, "µs": 1e3, "ms": 1e6}[found[2]] for found in (re.search(r"the program takes ([\d.]+) (ns|µs|ms)", row) for row in rows(browser)) if found]
        check("and drawn as bars", len(widths) == len(times) > 3, (widths, times))
        check("as long as they are", all(abs(width / max(widths) - one / max(times)) < 0.03 for width, one in zip(widths, times)), (widths, times))
        check("the last is shorter than the first", times[-1] < times[0] / 2, times)
        readers(cli, browser, folder, page)
        said = browser.errors()
        check("the console is quiet", said == [], said)
        if os.environ.get("LS_SHOTS"):
            browser.picture(os.path.join(os.environ["LS_SHOTS"], "page-passes.png"))
