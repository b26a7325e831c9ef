"""What can be known of a whole module."""
import _loopscope as _core


def collect_call_map(module):
    """The functions of the module that each of its functions names, in the order in which they are met."""
    result = {}
    own = {var.name_hint: var for var in module.functions.keys()}
    for var, func in module.functions.items():
        called = {}

        def note(node):
            if _core.kind(node) == "GlobalVar" and node.name_hint in own:
                called.setdefault(node.name_hint, own[node.name_hint])
            return True

        _core.walk(func, note, None)
        result[var] = list(called.values())
    return result
