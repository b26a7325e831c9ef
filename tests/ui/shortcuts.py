"""The shortcuts window and the tables of actions say the same; needs no display.

Every accelerator of app/window/keys.c and of the lesson window is in app/window/shortcuts.ui, every key in there is one of
theirs or of a view that asks for it, and every action that a menu, a button or an accelerator names is in a table.
"""
import glob
import os
import re
import sys
from xml.etree import ElementTree

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Keys that a widget takes itself: in which file.
OWN = {"Return": "views/graph/canvas-input.c", "Escape": "views/moves/view.c", "Left": "views/graph/canvas-input.c",
       "Right": "views/graph/canvas-input.c", "Up": "views/graph/canvas-input.c", "Down": "views/graph/canvas-input.c",
       "f": "views/graph/canvas-input.c", "plus": "views/graph/canvas-input.c", "minus": "views/graph/canvas-input.c",
       "<ctrl>Return": "views/graph/view-search.c", "1...9": "app/learn/lesson-window-actions.c"}
ACTIONS = ["app/base/settings.c", "app/window/actions.c", "app/window/compare-actions.c", "app/window/look-actions.c"]
N = 0
FAILED = 0


def check(name, wrong):
    global N, FAILED
    N += 1
    FAILED += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {N} - {name}" + "".join(f"\n# {w}" for w in sorted(wrong)))


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def normal(key):
    parts = re.findall(r"<(\w+)>", key)
    return "".join(sorted(f"<{'ctrl' if p.lower() == 'control' else p.lower()}>" for p in parts)) + re.sub(r"<\w+>", "", key)


def bare(key):
    return re.sub(r"<\w+>", "", key)


def accelerators(path):
    """{action: [keys]} of a table with rows { "win.x", { "key", .. } }."""
    return {action: [normal(key) for key in re.findall(r'"([^"]+)"', keys)]
            for action, keys in re.findall(r'\{ "((?:win|app|window)\.[\w:-]+(?:\(\d\))?)", \{ ([^}]*) \} \}', read(path))}


def spread(key):
    """<alt>1...9 are nine keys; the plain digits of the lesson are one entry of OWN."""
    several = re.search(r">1\.\.\.(\d)$", key)
    return [key[:several.start() + 1] + str(i) for i in range(1, int(several[1]) + 1)] if several else [key]


def tools():
    """{action: [key]} of the rows of tool windows, each in the file of its window; its id is a name or a macro of its folder."""
    found = {}
    for path in glob.glob("app/*/*.c", root_dir=TOP):
        for row in re.findall(r"const LsTool \w+ = \{(.*?)\};", read(path), re.S):
            name = re.search(r'\.id = ("[\w-]+"|\w+)', row)[1]
            if not name.startswith('"'):
                beside = glob.glob(os.path.join(os.path.dirname(path), "*.[ch]"), root_dir=TOP)
                name = next(filter(None, (re.search(rf'#define {name} ("[\w-]+")', read(one)) for one in [path] + beside)))[1]
            found["win." + name.strip('"')] = [normal(re.search(r'\.accel = "([^"]+)"', row)[1])]
    return found


main, lesson = accelerators("app/window/keys.c") | tools(), accelerators("app/learn/lesson-window-actions.c")
letters = {name for name in re.findall(r"\{ GDK_KEY_(\w+), \"win", read("app/window/keys.c"))}
shown = {normal(key) for keys in re.findall(r'name="accelerator">([^<]*)<', read("app/window/shortcuts.ui"))
         for word in keys.replace("&lt;", "<").replace("&gt;", ">").split() for key in spread(word)}
known = {key for table in (main, lesson) for keys in table.values() for key in keys} | letters

check("there are tables", set() if len(main) > 20 and len(tools()) > 4 and len(lesson) > 3 and len(shown) > 30 else {"too little was found"})
check("every accelerator is in the shortcuts window",
      {f"{action}: {' '.join(keys)}" for table in (main, lesson) for action, keys in table.items() if not set(keys) & shown}
      | {letter for letter in letters if letter not in shown})
check("every key of the shortcuts window does something",
      {key for key in shown if key not in known
       and not (key in OWN and (key == "1...9" or re.search(rf"GDK_KEY_{bare(key)}\b", read(OWN[key]))))})
entries = {f"win.{name}" for name in re.findall(r'\{ (?:\.name = )?"([\w-]+)",', "".join(map(read, ACTIONS)))}
entries |= {f"app.{name}" for name in re.findall(r'\.name = "([\w-]+)"', read("app/application.c"))} | {"win.show-help-overlay", "window.close"}
switches = re.search(r"props\[\] = \{(.*?)\};", read("views/explore/view.c"), re.S)         # of the loop nest and the times
entries |= {f"win.{name}" for name in re.findall(r'"([\w-]+)"', switches.group(1))} if switches else set()
settings = re.search(r"keys\[\] = \{(.*?)NULL", read("app/window/look-actions.c"), re.S)
entries |= {f"win.{name}" for name in re.findall(r'"([\w-]+)"', settings.group(1))} if settings else set()
entries |= set(tools())
named = {re.split(r"::|\(", action)[0] for action in main}
for path in glob.glob(os.path.join(TOP, "app", "**", "*.ui"), recursive=True) + glob.glob(os.path.join(TOP, "views", "**", "*.ui"), recursive=True):
    named |= {name.split("::")[0] for name in re.findall(r'action(?:-name)?">((?:win|app)\.[\w:-]+)<', read(path))}
check("every action that is named exists", named - entries)


# ---- menus ----

MOST = 6                        # entries of a section that are read at a glance
MOST_SECTIONS = 5


def sections(menu):
    """Labels of each section of a menu, and below that of each submenu; what stands in no section is one."""
    own = [child for child in menu if child.tag in ("item", "submenu")]
    for part in [own] * bool(own) + [list(child) for child in menu if child.tag == "section"]:
        yield menu, [one.find("attribute[@name='label']").text for one in part if one.tag in ("item", "submenu")]
        for one in part:
            if one.tag == "submenu":
                yield from sections(one)


window = ElementTree.fromstring(read("app/window/window.ui"))
menus = [pair for menu in window.iter("menu") for pair in sections(menu)]
check("menus are found", set() if len(menus) > 10 else {f"{len(menus)}"})
check(f"no section of a menu has more than {MOST} entries", {", ".join(labels) for _, labels in menus if len(labels) > MOST})
check(f"no menu has more than {MOST_SECTIONS} sections", {", ".join(labels) for menu, labels in menus if len([one for one, _ in menus if one is menu]) > MOST_SECTIONS})
every = [label for _, labels in menus for label in labels]
check("no two entries are called the same", {label for label in every if every.count(label) > 1})
tool_rows = re.search(r"tools\[\] = \{(.*?)\};", read("app/tools.c"), re.S).group(1).split("NULL")
check(f"no section of the tools has more than {MOST}", {part for part in tool_rows if part.count("&") > MOST} or (set() if len(tool_rows) > 2 else {"no sections"}))
print(f"1..{N}")
sys.exit(1 if FAILED else 0)
