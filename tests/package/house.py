"""What desktops and packages are told agrees with the tree: versions, languages, icons, screenshots, what the build needs."""
import configparser
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

TOP = os.environ["LS_SOURCE_ROOT"]
sys.path.insert(0, os.path.join(TOP, "tests", "python"))
import tap  # noqa: E402

ID = "org.loopscope.Loopscope"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def read(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as file:
        return file.read()


def languages():
    return set(read("data", "po", "LINGUAS").split())


def metainfo():
    return ElementTree.fromstring(read("data", ID + ".metainfo.xml"))


def packages(section):
    """The packages that ./run and ./check ask for."""
    return re.search(rf"^\[{section}\]\n((?:.+\n)*)", read("data", "packages"), re.M).group(1).split()


class Versions(unittest.TestCase):
    def test_agree(self):
        version = re.search(r"version: '([^']+)'", read("meson.build")).group(1)
        entries = re.findall(r"^## \[(\d[^\]]*)\] - (\S+)$", read("CHANGELOG.md"), re.M)
        release = metainfo().find("releases/release")
        self.assertEqual(entries[0], (version, release.get("date")))
        self.assertEqual(release.get("version"), version)
        self.assertEqual(re.match(r"loopscope \(([\d.]+)", read("debian", "changelog")).group(1), version)

    def test_changelog(self):
        text = read("CHANGELOG.md")
        self.assertIn("## [Unreleased]", text)
        kinds = re.findall(r"^### (.+)$", text, re.M)
        self.assertTrue(kinds)
        self.assertLessEqual(set(kinds), {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"})
        dates = re.findall(r"^## \[\d[^\]]*\] - (\d{4}-\d\d-\d\d)$", text, re.M)
        self.assertEqual(dates, sorted(dates, reverse=True))


class Desktop(unittest.TestCase):
    def test_types(self):
        entry = configparser.RawConfigParser(strict=True, delimiters="=")
        entry.optionxform = str
        entry.read_string(read("data", ID + ".desktop"))
        entry = entry["Desktop Entry"]
        mime = ElementTree.fromstring(read("data", ID + ".mime.xml")).find(MIME + "mime-type")
        self.assertIn(mime.get("type"), entry["MimeType"].split(";"))
        self.assertEqual(metainfo().find("provides/mediatype").text, mime.get("type"))
        icon = mime.find(MIME + "icon").get("name")
        self.assertEqual(icon, mime.get("type").replace("/", "-"))
        self.assertTrue(mime.find(MIME + "generic-icon").get("name"))
        for name, folder in ((icon, "mimetypes"), (entry["Icon"], "apps")):
            ElementTree.fromstring(read("data", "icons", "hicolor", "scalable", folder, name + ".svg"))
        self.assertEqual(metainfo().find("launchable").text, ID + ".desktop")
        for key in ("GenericName", "Comment", "Keywords"):
            self.assertEqual({k[len(key) + 1:-1] for k in entry if k.startswith(key + "[")}, languages(), key)
        comments = {node.get(LANG) for node in mime.findall(MIME + "comment")}
        self.assertEqual(comments, languages() | {None})

    @unittest.skipUnless(shutil.which("update-mime-database"), "shared-mime-info is not installed")
    def test_mime_database(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "packages"))
            shutil.copy(os.path.join(TOP, "data", ID + ".mime.xml"), os.path.join(folder, "packages", ID + ".xml"))
            done = subprocess.run(["update-mime-database", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True,
                                  env=dict(os.environ, XDG_DATA_DIRS=os.path.dirname(folder), XDG_DATA_HOME=folder))
            self.assertEqual([line for line in done.stdout.splitlines() if ID in line or "x-loopscope" in line], [])
            with open(os.path.join(folder, "generic-icons"), encoding="utf-8") as file:
                self.assertIn("application/x-loopscope:text-x-generic", file.read())

    def test_metainfo(self):
        about = metainfo()
        for path in ("summary", "description/p", "screenshots/screenshot/caption", "releases/release/description/p"):
            nodes = about.findall(path)
            by = [node.get(LANG) for node in nodes]
            self.assertGreater(by.count(None), 0, path)
            for language in languages():
                self.assertEqual(by.count(language), by.count(None), f"{path} in {language}")
        self.assertEqual({node.text for node in about.findall("languages/lang")}, languages() | {"en"})
        for image in about.findall("screenshots/screenshot/image"):
            path = os.path.join(TOP, "data", "screenshots", os.path.basename(image.text))
            with open(path, "rb") as file:
                head = file.read(24)
            size = (int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))
            self.assertEqual((int(image.get("width")), int(image.get("height"))), size, image.text)
        self.assertEqual({node.text for node in about.findall("provides/binary")}, {"loopscope", "loopscope-cli", "loopscope-draw", "loopscope-measure"})


# dependency ('name', ...) that neither an option nor `required` lets go.
NEEDED = re.compile(r"dependency\('([^']+)'(?![^)\n]*required:)")
# Of org.gnome.Platform.
RUNTIME = {"glib-2.0", "gobject-2.0", "gio-2.0", "gio-unix-2.0", "json-glib-1.0", "gtk4", "libadwaita-1", "gtksourceview-5", "threads"}
MODULES = {"jsonrpc-glib-1.0": "jsonrpc-glib", "libcgraph": "graphviz", "libcmark": "cmark", "libgvc": "graphviz", "openblas": "openblas", "isl": "isl",
           "libprotobuf-c": "protobuf-c"}


class Packages(unittest.TestCase):
    def test_debian_knows_what_the_build_needs(self):
        control = read("debian", "control")
        wanted = set(re.findall(r"^ ([a-z0-9.+-]+)", control.split("\n\n")[0].split("Build-Depends:")[1], re.M))
        # Of every Debian build, or only for running from the tree.
        given = {"gcc", "libc6-dev", "ninja-build", "python3", "adwaita-icon-theme", "librsvg2-common"}
        self.assertEqual(set(packages("build")) - given - wanted, set())

    def test_flatpak(self):
        manifest = json.loads(read("data", "flatpak", ID + ".json"))
        self.assertEqual(manifest["id"], ID)
        self.assertEqual(manifest["command"], "loopscope")
        names = [module["name"] for module in manifest["modules"]]
        self.assertEqual(names[-1], "loopscope")
        # Each library that the build insists on is GNOME's, or a module's.
        builds = [os.path.join(TOP, "meson.build")] + [path for room in ("engine", "views", "app") for path in glob.glob(os.path.join(TOP, room, "**", "meson.build"), recursive=True)]
        missing = {name for path in builds for name in NEEDED.findall(read(path))} - RUNTIME
        self.assertGreater(len(missing), 4)
        self.assertEqual({name: MODULES.get(name) for name in missing if MODULES.get(name) not in names}, {})
        self.assertIn("llvm", names)
        for module in manifest["modules"]:
            for option in module.get("config-opts", ()) if module["name"] == "loopscope" else ():
                name = re.match(r"-D(\w+)=", option)
                self.assertTrue(name is None or f"option('{name.group(1)}'" in read("meson_options.txt"), option)

    @unittest.skipUnless(shutil.which("flatpak-builder"), "flatpak-builder is not installed")
    def test_flatpak_is_read(self):
        path = os.path.join(TOP, "data", "flatpak", ID + ".json")
        with tempfile.TemporaryDirectory() as folder:           # it leaves one of its own where it runs
            shown = json.loads(subprocess.run(["flatpak-builder", "--show-manifest", path], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout)
        with open(path, encoding="utf-8") as file:
            own = json.load(file)
        self.assertEqual([m["name"] for m in shown["modules"]], [m["name"] for m in own["modules"]])
        for ours, read_back in zip(own["modules"], shown["modules"]):
            # A member that flatpak-builder does not know is not shown again.
            self.assertLessEqual(set(ours), set(read_back), ours["name"])
        self.assertLessEqual(set(own) - {"id"}, set(shown))


tap.main()
