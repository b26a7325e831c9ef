"""Firefox without a display, spoken to over its own Marionette protocol (Debian has no geckodriver): firefox-esr, no network.

Same methods as browser.Browser, so that one test can be run in both.
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from browser import ELEMENT

# Silent, without the network, downloads without a question.
PREFERENCES = {
    "app.update.enabled": False, "app.normandy.enabled": False, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "browser.safebrowsing.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False, "datareporting.healthreport.uploadEnabled": False,
    "extensions.update.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "network.dns.disabled": True, "services.settings.server": "data:,", "toolkit.telemetry.enabled": False, "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True, "browser.download.always_ask_before_handling_new_types": False, "browser.download.manager.showWhenStarting": False,
    "browser.helperApps.neverAsk.saveToDisk": "application/json", "security.sandbox.content.level": 0, "dom.disable_open_during_load": False,
}


def missing():
    """Which program is not here, or None."""
    return "firefox-esr" if shutil.which("firefox-esr") is None else None


class Firefox:
    """One window.  `size` is its width and height in CSS pixels."""

    def __init__(self, size=(1280, 900)):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        profile, self.saved = (os.path.join(self.folder.name, name) for name in ("profile", "saved"))
        for path in (profile, self.saved):
            os.mkdir(path)
        with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in dict(PREFERENCES, **{"marionette.port": port, "browser.download.dir": self.saved}).items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        env = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD", "DISPLAY", "G_DEBUG", "MALLOC_CHECK_", "MALLOC_PERTURB_")}
        self.child = subprocess.Popen(["firefox-esr", "--marionette", "--remote-allow-system-access", "--headless", "--no-remote", "--profile", profile,
                                       f"--width={size[0]}", f"--height={size[1]}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      env=dict(env, HOME=self.folder.name, MOZ_DISABLE_CONTENT_SANDBOX="1"), start_new_session=True)
        self.number = 0
        self.pipe = None
        for _ in range(600):
            try:
                self.pipe = socket.create_connection(("127.0.0.1", port), timeout=120)
                break
            except OSError:
                time.sleep(0.1)
        if self.pipe is None:
            self.close()
            raise RuntimeError("the browser does not answer")
        self.rest = b""
        self.message()
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})
        self.seen = 0
        self.resize(size)

    def message(self):
        """The next message of the browser: its length, a colon, JSON."""
        while b":" not in self.rest:
            self.rest += self.more()
        size, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(size):
            self.rest += self.more()
        text, self.rest = self.rest[:int(size)], self.rest[int(size):]
        return json.loads(text)

    def more(self):
        data = self.pipe.recv(1 << 20)
        if not data:
            raise RuntimeError("the browser has ended")
        return data

    def ask(self, command, parameters=None):
        """One command of the protocol; its value."""
        self.number += 1
        data = json.dumps([0, self.number, command, parameters or {}]).encode()
        self.pipe.sendall(str(len(data)).encode() + b":" + data)
        _, _, problem, value = self.message()
        if problem is not None:
            raise RuntimeError(problem["message"])
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def open(self, path):
        """A file of this machine."""
        self.ask("WebDriver:Navigate", {"url": "file://" + os.path.abspath(path)})

    def resize(self, size):
        """Another width and height, as __init__ takes them."""
        outer = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.ask("WebDriver:SetWindowRect", {"width": size[0] + outer[0], "height": size[1] + outer[1]})

    def run(self, script, *values):
        """What a script of ours gives; the page's own policy does not hold for it."""
        return self.ask("WebDriver:ExecuteScript", {"script": script, "args": list(values), "sandbox": None})

    def find(self, css):
        """All elements."""
        return [e[ELEMENT] for e in self.ask("WebDriver:FindElements", {"using": "css selector", "value": css})]

    def click(self, element):
        """As a person would: it has to be seen."""
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", {ELEMENT: element})
        self.ask("WebDriver:ElementClick", {"id": element})

    def type(self, element, text):
        """Keys into an element."""
        self.ask("WebDriver:ElementSendKeys", {"id": element, "text": text})

    def text(self, element):
        """What can be read of it."""
        return self.ask("WebDriver:GetElementText", {"id": element})

    def errors(self):
        """What the console has to complain about since it was asked last: errors and warnings of pages, not of the browser itself."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        try:
            lines = self.run("return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError)"
                             ".map(m => m.sourceName + ' ' + m.category + ': ' + m.errorMessage)")
        finally:
            self.ask("Marionette:SetContext", {"value": "content"})
        new, self.seen = lines[self.seen:], len(lines)
        return [line for line in new if line.startswith("file:")]

    def picture(self, path):
        """What is seen, as PNG."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("WebDriver:TakeScreenshot", {"full": False})))

    def downloads(self):
        """Paths of what the page saved.  While a file is written, Firefox has an empty one of its name beside the part."""
        names = os.listdir(self.saved)
        paths = [os.path.join(self.saved, name) for name in names if name.endswith(".json")]
        return [] if any(name.endswith(".part") for name in names) else [path for path in paths if os.path.getsize(path) > 0]

    def close(self):
        """Ends it, and what it started."""
        if self.pipe is not None:
            try:
                self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
            except (RuntimeError, OSError):
                pass
            self.pipe.close()
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.child.pid, 9)
            self.child.wait(20)
        self.folder.cleanup()
