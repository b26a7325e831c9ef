"""unittest cases reported as TAP, one line for each case."""
import os
import sys
import traceback
import unittest


# For what has hundreds of small programs compiled to look at what they compute: LLVM's own passes take most of the time and are tested
# elsewhere.  ./check --full has them too.
LLVM = "llvm" if os.environ.get("LS_TEST_OPTIMISED") else "llvm -opt-level=0"


class _Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self._count = 0
        self._parts, self._said = None, False

    def _line(self, good, test, extra=""):
        self._count += 1
        self._said = True
        name = test.id().split("__main__.")[-1]
        print(f"{'ok' if good else 'not ok'} {self._count} - {name}{extra}", flush=True)

    def startTest(self, test):
        super().startTest(test)
        self._parts, self._said = [], False

    def stopTest(self, test):
        """A case of which parts failed gets no result of its own from unittest."""
        super().stopTest(test)
        if self._parts and not self._said:
            self._line(False, test, f": {', '.join(self._parts)}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._parts.append(subtest._subDescription())
            print(f"# not ok - {subtest.id().split('__main__.')[-1]}")
            self._trace(err)

    def addSuccess(self, test):
        self._line(True, test)

    def addSkip(self, test, reason):
        self._line(True, test, f" # SKIP {reason}")

    def _broken(self, test, err):
        self._line(False, test)
        self._trace(err)

    def _trace(self, err):
        for line in "".join(traceback.format_exception(*err)).splitlines():
            print("#", line, flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._broken(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._broken(test, err)


def main():
    """Runs the cases of the program."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"1..{suite.countTestCases()}", flush=True)
    result = _Result()
    suite.run(result)
    sys.exit(0 if result.wasSuccessful() else 1)


def has_numpy():
    """Is numpy installed?"""
    try:
        import numpy  # noqa: F401

        return True
    except ImportError:
        return False


needs_numpy = unittest.skipUnless(has_numpy(), "numpy is not installed")
