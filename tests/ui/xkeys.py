"""Keys and windows of the X display, for the scripts beside it: what xdotool does for each of them in a process of its own, which costs more than what it does.

Keys go by XTEST as xdotool's do, so the program cannot tell them from a keyboard's, in the same time: 12 ms each.
"""
import ctypes
import re
import time

VIEWABLE = 2
ANY_TYPE = 0
REVERT_TO_PARENT = 2
LONGEST_NAME = 1024             # of a window, in units of four bytes
STROKE_SECONDS = 0.006          # down, and up
FOCUS_SECONDS = 0.03            # in which a program hears that it has the keyboard, before a key comes
MODIFIERS = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "super": "Super_L"}

Window = ctypes.c_ulong


class Attributes(ctypes.Structure):
    """XWindowAttributes."""
    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border_width", "depth")] + [
        ("visual", ctypes.c_void_p), ("root", Window)] + [(name, ctypes.c_int) for name in ("kind", "bit_gravity", "win_gravity", "backing_store")] + [
        ("backing_planes", ctypes.c_ulong), ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int), ("colormap", ctypes.c_ulong),
        ("map_installed", ctypes.c_int), ("map_state", ctypes.c_int), ("all_event_masks", ctypes.c_long), ("your_event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long), ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Display:
    """The connection."""

    def __init__(self):
        self.x, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        for function, result, arguments in (
                ("XOpenDisplay", ctypes.c_void_p, [ctypes.c_char_p]), ("XDefaultRootWindow", Window, [ctypes.c_void_p]),
                ("XStringToKeysym", ctypes.c_ulong, [ctypes.c_char_p]), ("XkbKeycodeToKeysym", ctypes.c_ulong, [ctypes.c_void_p, ctypes.c_ubyte, ctypes.c_uint, ctypes.c_uint]),
                ("XInternAtom", ctypes.c_ulong, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]), ("XFree", ctypes.c_int, [ctypes.c_void_p]),
                ("XSync", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]), ("XSetErrorHandler", ctypes.c_void_p, [HANDLER]),
                ("XSetInputFocus", ctypes.c_int, [ctypes.c_void_p, Window, ctypes.c_int, ctypes.c_ulong]),
                ("XGetWindowAttributes", ctypes.c_int, [ctypes.c_void_p, Window, ctypes.POINTER(Attributes)]),
                ("XQueryTree", ctypes.c_int, [ctypes.c_void_p, Window, ctypes.POINTER(Window), ctypes.POINTER(Window), ctypes.POINTER(ctypes.POINTER(Window)),
                                              ctypes.POINTER(ctypes.c_uint)]),
                ("XGetWindowProperty", ctypes.c_int, [ctypes.c_void_p, Window, ctypes.c_ulong, ctypes.c_long, ctypes.c_long, ctypes.c_int, ctypes.c_ulong,
                                                      ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_ulong),
                                                      ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_void_p)])):
            getattr(self.x, function).restype, getattr(self.x, function).argtypes = result, arguments
        self.test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self.display = self.x.XOpenDisplay(None)
        if not self.display:
            raise OSError("the X display does not answer")
        self.handler = HANDLER(lambda _display, _event: 0)              # a window that went away meanwhile is no end of a script
        self.x.XSetErrorHandler(self.handler)
        self.name_atom = self.x.XInternAtom(self.display, b"_NET_WM_NAME", 0)
        self.codes = {}                                                 # of a symbol: its key, and whether Shift is down for it
        for shifted in (1, 0):
            for code in range(8, 256):
                symbol = self.x.XkbKeycodeToKeysym(self.display, code, 0, shifted)
                if symbol and not (shifted == 0 and self.codes.get(symbol, (0, 1))[1] == 0):
                    self.codes[symbol] = code, shifted

    def name(self, window):
        """The title of a window, or nothing."""
        kind, form, n, left, data = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_void_p()
        if self.x.XGetWindowProperty(self.display, window, self.name_atom, 0, LONGEST_NAME, 0, ANY_TYPE, ctypes.byref(kind), ctypes.byref(form), ctypes.byref(n),
                                     ctypes.byref(left), ctypes.byref(data)) or not data.value:
            return ""
        text = ctypes.string_at(data.value, n.value).decode(errors="replace") if form.value == 8 else ""
        self.x.XFree(data)
        return text

    def is_shown(self, window):
        """Is it on the screen?"""
        attributes = Attributes()
        return bool(self.x.XGetWindowAttributes(self.display, window, ctypes.byref(attributes))) and attributes.map_state == VIEWABLE

    def children(self, window):
        """The windows in it, the lowest first."""
        root, parent, children, n = Window(), Window(), ctypes.POINTER(Window)(), ctypes.c_uint()
        if not self.x.XQueryTree(self.display, window, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(n)):
            return []
        found = [children[i] for i in range(n.value)]
        if n.value:
            self.x.XFree(children)
        return found

    def windows(self):
        """The windows of programs, and what a window manager puts round them: those of the display, then those in them."""
        level = self.children(self.x.XDefaultRootWindow(self.display))
        while level:
            yield from level
            level = [below for one in level for below in self.children(one)]

    def code(self, name):
        """The key of that name, and whether Shift is down for it."""
        symbol = self.x.XStringToKeysym(name.encode())
        if symbol not in self.codes:
            raise LookupError(f"the keyboard has no key {name}")
        return self.codes[symbol]

    def turn(self, code, down):
        """A key down or up."""
        self.test.XTestFakeKeyEvent(self.display, code, down, 0)
        self.x.XSync(self.display, 0)

    def stroke(self, name):
        """A key with what is held down for it, "ctrl+shift+y"."""
        *held, last = name.split("+")
        code, shifted = self.code(last)
        codes = [self.code(MODIFIERS.get(one, one))[0] for one in held]
        if shifted and "shift" not in held:
            codes.append(self.code(MODIFIERS["shift"])[0])
        for one in codes + [code]:
            self.turn(one, 1)
        time.sleep(STROKE_SECONDS)
        for one in [code] + codes[::-1]:
            self.turn(one, 0)
        time.sleep(STROKE_SECONDS)


OPEN = []


def display():
    """The connection, made when it is first asked for."""
    if not OPEN:
        OPEN.append(Display())
    return OPEN[0]


def stroke(*names):
    """Those keys, one after the other."""
    for name in names:
        display().stroke(name)


def find(pattern):
    """The number of a window on the screen whose title has that pattern in it, as a text; or None."""
    matches = re.compile(pattern, re.IGNORECASE).search
    return next((str(one) for one in display().windows() if matches(display().name(one)) and display().is_shown(one)), None)


def focus(number):
    """Gives the keyboard to a window."""
    x = display()
    x.x.XSetInputFocus(x.display, int(number), REVERT_TO_PARENT, 0)
    x.x.XSync(x.display, 0)
    time.sleep(FOCUS_SECONDS)
