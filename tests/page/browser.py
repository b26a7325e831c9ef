"""A real browser without a display, spoken to over WebDriver: Debian's chromium and chromium-driver, no network."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """Which program is not here, or None."""
    return next((name for name in ("chromium", "chromedriver") if shutil.which(name) is None), None)


class Browser:
    """One window.  `size` is its width and height in CSS pixels."""

    def __init__(self, size=(1280, 900)):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        env = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "LD_PRELOAD", "DISPLAY", "G_DEBUG", "MALLOC_CHECK_", "MALLOC_PERTURB_")}
        self.child = subprocess.Popen(["chromedriver", f"--port={port}", "--log-level=OFF"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      env=dict(env, HOME=self.folder.name), start_new_session=True)
        args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
                f"--user-data-dir={self.folder.name}/profile", f"--window-size={size[0]},{size[1]}", "--host-resolver-rules=MAP * ~NOTFOUND"]
        wanted = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": args, "binary": shutil.which("chromium")}, "goog:loggingPrefs": {"browser": "ALL"}}}
        self.session = ""
        for _ in range(100):
            try:
                self.session = "/session/" + self.ask("POST", "/session", {"capabilities": wanted})["sessionId"]
                self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": "Browser.setDownloadBehavior", "params": {"behavior": "allow", "downloadPath": self.folder.name}})
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("the browser does not answer")

    def ask(self, method, path, body=None):
        """One command of the protocol; its value."""
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(json.load(problem)["value"]["message"]) from None

    def open(self, path):
        """A file of this machine."""
        self.ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path)})

    def resize(self, size):
        """Another width and height, as __init__ takes them."""
        self.ask("POST", self.session + "/window/rect", {"width": size[0], "height": size[1]})

    def run(self, script, *values):
        """What a script of ours gives; the page's own policy does not hold for it."""
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(values)})

    def find(self, css):
        """All elements."""
        return [e[ELEMENT] for e in self.ask("POST", self.session + "/elements", {"using": "css selector", "value": css})]

    def click(self, element):
        """As a person would: it has to be seen."""
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", {ELEMENT: element})
        self.ask("POST", f"{self.session}/element/{element}/click")

    def type(self, element, text):
        """Keys into an element."""
        self.ask("POST", f"{self.session}/element/{element}/value", {"text": text})

    def text(self, element):
        """What can be read of it."""
        return self.ask("GET", f"{self.session}/element/{element}/text")

    def errors(self):
        """What the console has to complain about since it was asked last."""
        return [entry["message"] for entry in self.ask("POST", self.session + "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        """What is seen, as PNG."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))

    def downloads(self):
        """Paths of what the page saved."""
        return [os.path.join(self.folder.name, name) for name in os.listdir(self.folder.name) if name.endswith(".json")]

    def close(self):
        """Ends it, and what it started."""
        try:
            self.ask("DELETE", self.session)
        except (RuntimeError, OSError):
            pass
        self.child.terminate()
        self.child.wait(20)
        self.folder.cleanup()
