"""The tree of accessible objects of a program, read over the accessibility bus (the D-Bus interfaces of AT-SPI, version 2).

libatspi asks for each name, role and child in a message of its own: a thousand objects take a second, and a test looks at all of them
again and again.  Here one message (org.a11y.atspi.Cache.GetItems) brings everything.  GTK makes the objects when they are first asked
for, so what that answer does not have yet is asked for by its parent; with the answer come signals (AddAccessible) of what was made.

While a Node is the one that `walk` is at, it says what the answer had; afterwards it is asked anew, so one that is kept is never stale.
"""
import json
import sys
import time

import gi
gi.require_version("Atspi", "2.0")
gi.require_version("Json", "1.0")
from gi.repository import Atspi as Library          # numbers of states, names of roles; it is never connected
from gi.repository import Gio, GLib, Json

ACCESSIBLE = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
DEPTH = 60
ANSWER_MS = 60000
FRESH_SECONDS = 1.0         # how long all of it holds, if no signal tells of a change
TRUSTED_SECONDS = 10.0      # how long an answer that the items cannot confirm holds, if no signal tells that it changed,
DOUBTED_SECONDS = 0.5       # and one of another number of children: what is there and not yet shown comes without a signal
OF_ITSELF = ("BoundsChanged", "PropertyChange")     # signals that tell nothing of the children
MANY = 200                  # that many unknown items are read together
BUS = []
ANSWERS = {}                # by program and path: what the items said, the children that the object then named, and when
MADE = {}                   # by program and path: the items of objects that were made since the last snapshot, as they came
READ = {}                   # by program: the items of the last snapshot, by their bytes
GONE = {}                   # by program: the objects that a parent said it has no more; a hidden one keeps its place in the items

TOLD = [0]                  # how many signals came
NEWS = {}                   # the same by program
LAST = {}                   # by program: the last snapshot, the signals that had come before it, and when it was read


def changed(_bus, owner, path, _interface, signal, arguments):
    """Whatever an object tells but of itself alone, its children are asked for anew."""
    if signal == "ChildrenChanged":
        child = arguments.get_child_value(3).get_variant()
        if child.is_of_type(GLib.VariantType("(so)")):
            gone = GONE.setdefault(owner, set())
            (gone.add if arguments.get_child_value(0).get_string() == "remove" else gone.discard)(child.unpack()[1])
    if signal not in OF_ITSELF:
        ANSWERS.get(owner, {}).pop(path, None)
    TOLD[0] += 1
    NEWS[owner] = NEWS.get(owner, 0) + 1


def made(_bus, owner, _path, _interface, signal, arguments):
    """An object that was asked for the first time, with all that GetItems would say of it, or one that goes."""
    what = arguments.get_child_value(0)
    if signal == "AddAccessible":
        MADE.setdefault(owner, {})[what.get_child_value(0).get_child_value(1).get_string()] = what
    elif signal == "RemoveAccessible":
        MADE.get(owner, {}).pop(what.get_child_value(1).get_string(), None)


def from_json(value):
    """What GLib.Variant.unpack() gives, with lists for tuples, in a tenth of the time."""
    return json.loads(Json.gvariant_serialize_data(value)[0])


def items_of(owner, answer):
    """The items that GetItems answered.  Most are as they were at the last snapshot, to the byte, and not read again: they lie one after
    the other, and their ends stand behind the last (GVariant's serialised form of an array)."""
    array = answer.get_child_value(0)
    data = array.get_data_as_bytes().get_data()
    if not data:
        return []
    size = 1 if len(data) <= 0xff else 2 if len(data) <= 0xffff else 4
    first = int.from_bytes(data[-size:], sys.byteorder)
    ends = memoryview(data)[first:].cast({1: "B", 2: "H", 4: "I"}[size])
    before, now, start = READ.get(owner, {}), {}, 0
    pieces = []
    for end in ends:
        pieces.append(data[start:end])
        start = (end + 3) // 4 * 4
    if sum(piece not in before for piece in pieces) > MANY:
        now = dict(zip(pieces, from_json(answer)[0]))
    else:
        for i, piece in enumerate(pieces):
            now[piece] = before.get(piece) or from_json(array.get_child_value(i))
    READ[owner] = now
    return [now[piece] for piece in pieces]


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
        BUS[0].signal_subscribe(None, ACCESSIBLE + "Cache", None, None, None, Gio.DBusSignalFlags.NONE, made)
        BUS[0].signal_subscribe(None, ACCESSIBLE + "Event.Object", None, None, None, Gio.DBusSignalFlags.NONE, changed)
    return BUS[0]


def ask(owner, path, interface, method, signature=None, *values):
    """The answer to one message, as a GVariant."""
    arguments = GLib.Variant(signature, values) if signature else None
    return bus().call_sync(owner, path, interface, method, arguments, None, 0, ANSWER_MS, None)


class States:
    def __init__(self, low, high):
        self.bits = low | high << 32

    def contains(self, state):
        return bool(self.bits >> int(state) & 1)


class Node:
    """An object of the tree; what it is asked goes to the program, or to `seen`, while one walks over it."""

    def __init__(self, owner, path):
        self.owner, self.path = owner, path
        self.seen = None

    def __eq__(self, other):
        return isinstance(other, Node) and (self.owner, self.path) == (other.owner, other.path)

    def __hash__(self):
        return hash((self.owner, self.path))

    def ask(self, interface, method, signature=None, *values):
        return ask(self.owner, self.path, ACCESSIBLE + interface, method, signature, *values).unpack()

    def get(self, interface, name):
        return ask(self.owner, self.path, "org.freedesktop.DBus.Properties", "Get", "(ss)", ACCESSIBLE + interface, name).unpack()[0]

    def item(self):
        return self.seen.items.get(self.path) if self.seen is not None else None

    def get_name(self):
        item = self.item()
        return item[6] if item else self.get("Accessible", "Name")

    def get_description(self):
        item = self.item()
        return item[8] if item else self.get("Accessible", "Description")

    def get_role_name(self):
        item = self.item()
        return Library.role_get_name(item[7] if item else self.ask("Accessible", "GetRole")[0])

    def get_state_set(self):
        item = self.item()
        return States(*(item[9] if item else self.ask("Accessible", "GetState")[0]))

    def get_parent(self):
        owner, path = self.get("Accessible", "Parent")
        return Node(owner, path) if path != NOTHING else None

    def get_children(self):
        return [Node(owner, path) for owner, path in self.ask("Accessible", "GetChildren")[0] if path != NOTHING]

    def get_child_count(self):
        return len(self.seen.children(self.path)) if self.item() else len(self.get_children())

    def get_child_at_index(self, i):
        children = self.get_children()
        return children[i] if i < len(children) else None


class Snapshot:
    """Everything of one program that its objects say of themselves, as of one moment."""

    def __init__(self, owner):
        self.owner = owner
        self.items = {}
        self.below = {}         # path of a parent: its children's paths, in order
        self.asked = {}         # the same from the parent itself, where the items did not tell
        self.read()

    def read(self):
        answer = ask(self.owner, "/org/a11y/atspi/cache", ACCESSIBLE + "Cache", "GetItems")
        while GLib.MainContext.default().iteration(False):      # the signals that came before it
            pass
        items = items_of(self.owner, answer)
        MADE.pop(self.owner, None)
        self.items = {item[0][1]: item for item in items}
        self.below = {}
        gone = GONE.setdefault(self.owner, set())
        for item in sorted(items, key=lambda one: one[3]):
            if item[3] >= 0 and item[2][1] != NOTHING and item[0][1] not in gone:
                self.below.setdefault(item[2][1], []).append(item[0][1])

    def may_have_changed(self, item, known):
        """A label or box that was hidden keeps its place in the items, while another child may have come in its stead: the number tells nothing,
        and not each of them is told to be gone.  In a button it is the button's own."""
        return len(known) == 1 and self.items[known[0]][7] in (Library.Role.LABEL, Library.Role.PANEL) and \
            item[7] not in (Library.Role.PUSH_BUTTON, Library.Role.TOGGLE_BUTTON, Library.Role.RADIO_BUTTON, Library.Role.CHECK_BOX)

    def known(self, path):
        """The paths of the children, where they need not be asked for.  A parent is asked where the items do not tell: of the first look at
        it, and of the program, which does not count its windows.  A page of a stack says that it is its child that has a place."""
        if path in self.asked:
            return self.asked[path]
        item = self.items.get(path)
        if path == ROOT or item is None:
            return None
        known = self.below.get(path, [])
        if len(known) == item[4] and not self.may_have_changed(item, known) and \
           (len(known) == 1 or [self.items[one][3] for one in known] == list(range(len(known)))):
            return known
        before, named, when = ANSWERS.get(self.owner, {}).get(path, (None, None, 0.0))
        holds = TRUSTED_SECONDS if named is not None and len(named) == item[4] else DOUBTED_SECONDS
        return named if before == (known, item[4]) and time.monotonic() - when < holds else None

    def answered(self, path, children):
        item = self.items.get(path)
        self.asked[path] = children
        if item is not None:
            ANSWERS.setdefault(self.owner, {})[path] = (self.below.get(path, []), item[4]), children, time.monotonic()

    def ask_all(self, paths):
        """Asks each for its children; the questions go out together."""
        waiting = set(paths)

        def answer(connection, result, path):
            waiting.discard(path)
            try:
                named = connection.call_finish(result).unpack()[0]
            except GLib.Error:                  # it went away meanwhile
                named = []
            self.answered(path, [one for _, one in named if one != NOTHING])

        for path in paths:
            bus().call(self.owner, path, ACCESSIBLE + "Accessible", "GetChildren", None, None, 0, ANSWER_MS, None, answer, path)
        while waiting:
            GLib.MainContext.default().iteration(True)

    def children(self, path):
        found = self.known(path)
        if found is None:
            self.ask_all([path])
            found = self.asked[path]
        return found

    def in_order(self, path):
        """What is below that, the parents first, each with its own before the next one."""
        found, todo = [], [(path, 0)]
        while todo:
            one, depth = todo.pop()
            found.append(one)
            if depth < DEPTH and one in self.items:
                todo += [(child, depth + 1) for child in reversed(self.children(one))]
        return found

    def take_made(self, paths):
        """The items of those that were made for this; whether there is one of which nothing came."""
        unknown = False
        for path in paths:
            if path not in self.items:
                item = MADE.get(self.owner, {}).pop(path, None)
                if item is not None:
                    self.items[path] = from_json(item)
                else:
                    unknown = True
        return unknown

    def complete(self, path):
        """What is below that, once all of it is known: a level after the other, and then the items of what is still unknown."""
        level, unknown = [path], False
        for _ in range(DEPTH):
            unknown |= self.take_made(level)
            self.ask_all([one for one in level if self.known(one) is None])
            level = [child for one in level for child in self.children(one)]
            if not level:
                break
        if unknown:
            self.read()
        return self.in_order(path)


def take(owner):
    """What the program's objects say as of now: the last snapshot, if it is fresh and the program, asked for a word, has told of no change
    since."""
    seen, before, when = LAST.get(owner, (None, 0, 0.0))
    if seen is not None and time.monotonic() - when < FRESH_SECONDS:
        ask(owner, ROOT, "org.freedesktop.DBus.Properties", "Get", "(ss)", ACCESSIBLE + "Accessible", "Name")
        while GLib.MainContext.default().iteration(False):      # the signals that came before the answer
            pass
        if NEWS.get(owner, 0) == before:
            return seen
    seen = Snapshot(owner)
    LAST[owner] = seen, NEWS.get(owner, 0), time.monotonic()
    return seen


def walk(node):
    """The node and every object below it, as of now; what goes away meanwhile is left out."""
    if node is None:
        return
    seen = node.seen
    try:
        if seen is None:
            seen = take(node.owner)
            paths = seen.complete(node.path)
        else:
            paths = seen.in_order(node.path)
    except GLib.Error:                          # the program went away
        return
    for path in paths:
        if path in seen.items:
            one = Node(seen.owner, path)
            one.seen = seen
            try:
                yield one
            finally:
                one.seen = None


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
