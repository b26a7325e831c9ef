"""The pages that Loopscope writes, in real browsers: lessons, reports of sessions, logs of passes.  Starting a browser takes as long as reading a page, so
each is started once.

    all.py CLI LESSONS SAMPLES chromium|firefox..

LESSONS may be empty, where there is no Python module to run their cells.
"""
import sys
import tempfile

import browser
import firefox
import lesson
import passes
import report
import said

KINDS = {"chromium": (browser.Browser, browser.missing), "firefox": (firefox.Firefox, firefox.missing)}


def main():
    cli, lessons, samples = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        # The one of lessons comes last: it makes the window as narrow as a phone.
        pages = {"report": report.Pages(cli, samples, folder), "passes": passes.Pages(cli, folder)}
        if lessons:
            pages["lesson"] = lesson.Pages(cli, lessons, folder)
        for kind in sys.argv[4:]:
            start, missing = KINDS[kind]
            said.begin(kind)
            if missing() is not None:
                said.skip(missing())
                continue
            window = start()
            try:
                for name, one in pages.items():
                    if name != "passes" or kind == "chromium":
                        one.read(window)
            finally:
                window.close()
    return said.end()


sys.exit(main())
