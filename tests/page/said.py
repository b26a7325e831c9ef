"""What the tests of pages say: TAP, counted over all that one program looks at."""
COUNT = FAILED = 0
KIND = ""                       # which browser reads now


def begin(kind):
    """From here on it is that browser."""
    global KIND
    KIND = kind


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {KIND}: {name}{' # ' + str(more) if not good and more != '' else ''}", flush=True)


def skip(name):
    """The browser is not installed."""
    global COUNT
    COUNT += 1
    print(f"ok {COUNT} - {KIND} # SKIP {name} is not installed", flush=True)


def end():
    """The plan, and the exit status."""
    print(f"1..{COUNT}")
    return 1 if FAILED else 0
