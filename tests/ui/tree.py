"""The tree of accessible objects of a program, as the accessibility bus has it (the D-Bus interfaces of AT-SPI, version 2).

libatspi asks for each name, role and child in a message of its own: a thousand objects take a second, and a test looks at all of them
again and again.  Here the program is asked once for all of it (look.c, which driver.py preloads); what is done with one object, and what
one asks of it alone, goes over the bus as ever.

While a Node is the one that `walk` is at, it says what the answer had; afterwards it is asked anew, so one that is kept is never stale.
"""
import functools
import time

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi as Library          # numbers of states, names of roles; it is never connected
from gi.repository import Gio, GLib

ACCESSIBLE = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
LOOK = "/org/loopscope/look", "org.loopscope.Look"      # look.c, as are the ends of rows and fields
ROW_END, FIELD_END = "\x1e", "\x1f"
PATH, NAME, DESCRIPTION, ROLE, STATES, DEPTH = range(6)
ANSWER_MS = 60000
FRESH_SECONDS = 0.03        # how long an answer holds, if nothing is asked or done over the bus: for what a check says beside what it looked at
BUS = []
LAST = {}                   # by program and path: the last answer, and when it came
TOLD = [0]                  # how many signals came


def changed(*_):
    TOLD[0] += 1


role_name = functools.cache(Library.role_get_name)


def pause(least, most):
    """Some seconds; once the least have gone, the first signal of a program ends them."""
    time.sleep(least)
    context = GLib.MainContext.default()
    before, end = TOLD[0], time.monotonic() + most - least
    while context.iteration(False):
        pass
    while BUS and TOLD[0] == before and time.monotonic() < end:
        time.sleep(0.02)
        while context.iteration(False):
            pass


def bus():
    """The accessibility bus, which the session's bus tells the address of."""
    if not BUS:
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, ANSWER_MS, None).unpack()[0]
        flags = Gio.DBusConnectionFlags
        BUS.append(Gio.DBusConnection.new_for_address_sync(address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None))
        BUS[0].signal_subscribe(None, ACCESSIBLE + "Event.Object", None, None, None, Gio.DBusSignalFlags.NONE, changed)
    return BUS[0]


def ask(owner, path, interface, method, signature=None, *values):
    """The answer to one message, as a GVariant."""
    LAST.clear()
    arguments = GLib.Variant(signature, values) if signature else None
    return bus().call_sync(owner, path, interface, method, arguments, None, 0, ANSWER_MS, None)


class States:
    def __init__(self, bits):
        self.bits = bits

    def contains(self, state):
        return bool(self.bits >> int(state) & 1)


class Node:
    """An object of the tree; what it is asked goes to the program, or to `row`, while one walks over it."""

    def __init__(self, owner, path):
        self.owner, self.path = owner, path
        self.row = self.place = None        # what the answer has of it; the answer, and where in it that is

    def __eq__(self, other):
        return isinstance(other, Node) and (self.owner, self.path) == (other.owner, other.path)

    def __hash__(self):
        return hash((self.owner, self.path))

    def ask(self, interface, method, signature=None, *values):
        return ask(self.owner, self.path, ACCESSIBLE + interface, method, signature, *values).unpack()

    def get(self, interface, name):
        return ask(self.owner, self.path, "org.freedesktop.DBus.Properties", "Get", "(ss)", ACCESSIBLE + interface, name).unpack()[0]

    def get_name(self):
        return self.row[NAME] if self.row else self.get("Accessible", "Name")

    def get_description(self):
        return self.row[DESCRIPTION] if self.row else self.get("Accessible", "Description")

    def get_role_name(self):
        return role_name(int(self.row[ROLE]) if self.row else self.ask("Accessible", "GetRole")[0])

    def get_state_set(self):
        if self.row:
            return States(int(self.row[STATES]))
        low, high = self.ask("Accessible", "GetState")[0]
        return States(low | high << 32)

    def get_parent(self):
        owner, path = self.get("Accessible", "Parent")
        return Node(owner, path) if path != NOTHING else None

    def get_children(self):
        return [Node(owner, path) for owner, path in self.ask("Accessible", "GetChildren")[0] if path != NOTHING]

    def get_child_count(self):
        return len(self.get_children())

    def get_child_at_index(self, i):
        children = self.get_children()
        return children[i] if i < len(children) else None


def read(node):
    """What the object and all below it say as of now, a row each."""
    rows, when = LAST.get((node.owner, node.path), (None, 0.0))
    if time.monotonic() - when > FRESH_SECONDS:
        text = ask(node.owner, *LOOK, "Read", "(s)", node.path).unpack()[0]
        rows = [row.split(FIELD_END) for row in text.split(ROW_END)[:-1]]
        LAST[node.owner, node.path] = rows, time.monotonic()
    return rows


def family(rows, first):
    """The row at that place and those below it."""
    depth = int(rows[first][DEPTH])
    last = next((i for i in range(first + 1, len(rows)) if int(rows[i][DEPTH]) <= depth), len(rows))
    return rows[first:last]


def walk(node):
    """The node and every object below it, the parents first, as of now; what goes away meanwhile is left out."""
    if node is None:
        return
    try:
        rows = family(*node.place) if node.place else read(node)
    except GLib.Error as problem:
        if problem.matches(Gio.DBusError.quark(), Gio.DBusError.UNKNOWN_METHOD):
            raise RuntimeError("look.c is not preloaded") from problem
        return                                  # the program went away
    for i, row in enumerate(rows):
        one = Node(node.owner, row[PATH])
        one.row, one.place = row, (rows, i)
        try:
            yield one
        finally:
            one.row = one.place = None


def applications():
    """The programs that are on the bus now."""
    found = ask("org.a11y.atspi.Registry", ROOT, ACCESSIBLE + "Accessible", "GetChildren").unpack()[0]
    return [Node(owner, path) for owner, path in found if path != NOTHING]


def on_focus(call):
    """Calls with each object that takes the keyboard, when the main context turns."""
    def changed(_bus, sender, path, _interface, _signal, arguments):
        if arguments.get_child_value(1).get_int32():
            call(Node(sender, path))
    bus().signal_subscribe(None, ACCESSIBLE + "Event.Object", "StateChanged", None, "focused", Gio.DBusSignalFlags.NONE, changed)


class Extents:
    def __init__(self, x, y, width, height):
        self.x, self.y, self.width, self.height = x, y, width, height


class Range:
    def __init__(self, start, end):
        self.start_offset, self.end_offset = start, end


class Atspi:
    """What the scripts ask of single objects, by the names of libatspi."""
    StateType = Library.StateType
    CoordType = Library.CoordType

    class Action:
        @staticmethod
        def do_action(node, number):
            return node.ask("Action", "DoAction", "(i)", number)[0]

    class Component:
        @staticmethod
        def get_extents(node, kind):
            return Extents(*node.ask("Component", "GetExtents", "(u)", int(kind))[0])

    class EditableText:
        @staticmethod
        def set_text_contents(node, text):
            return node.ask("EditableText", "SetTextContents", "(s)", text)[0]

    class Value:
        @staticmethod
        def get_current_value(node):
            return ask(node.owner, node.path, "org.freedesktop.DBus.Properties", "Get", "(ss)", ACCESSIBLE + "Value", "CurrentValue")[0]

        @staticmethod
        def get_maximum_value(node):
            return ask(node.owner, node.path, "org.freedesktop.DBus.Properties", "Get", "(ss)", ACCESSIBLE + "Value", "MaximumValue")[0]

        @staticmethod
        def set_current_value(node, value):
            ask(node.owner, node.path, "org.freedesktop.DBus.Properties", "Set", "(ssv)", ACCESSIBLE + "Value", "CurrentValue", GLib.Variant("d", value))
            return True

    class Text:
        @staticmethod
        def get_text(node, start, end):
            return node.ask("Text", "GetText", "(ii)", start, end)[0]

        @staticmethod
        def get_character_count(node):
            return node.get("Text", "CharacterCount")

        @staticmethod
        def get_caret_offset(node):
            return node.get("Text", "CaretOffset")

        @staticmethod
        def set_caret_offset(node, offset):
            return node.ask("Text", "SetCaretOffset", "(i)", offset)[0]

        @staticmethod
        def get_character_extents(node, offset, kind):
            return Extents(*node.ask("Text", "GetCharacterExtents", "(iu)", offset, int(kind)))

        @staticmethod
        def get_selection(node, number):
            return Range(*node.ask("Text", "GetSelection", "(i)", number))
