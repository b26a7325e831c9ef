"""Expressions, buffers and types as TVMScript: the text, with verbose_expr behind the declarations of what it uses."""
import _loopscope as _core

from ..runtime import object as _object


def _text(node):
    return _core.print(node, _object.get_style(), False, False, 0, None, False).rstrip("\n")


def _shape(values):
    text = ", ".join(_text(x) for x in values)
    return f"({text},)" if len(values) == 1 else f"({text})"


def _declaration(node):
    kind = _core.kind(node)
    if kind == "Buffer":
        dtype = "" if node.dtype == "float32" else f', "{node.dtype}"'
        scope = node.scope()
        return f"{node.name} = T.Buffer({_shape(list(node.shape))}{dtype}{'' if scope in ('', 'global') else f', scope={scope!r}'})".replace("'", '"')
    if kind == "SizeVar":
        return f"{node.name} = T.{node.dtype}(is_size_var=True)"
    if node.dtype == "handle":
        annotation = node.type_annotation
        pointer = annotation is not None and _core.kind(annotation) == "PointerType" and _core.kind(annotation.element_type) == "PrimType"
        if not pointer or annotation.element_type.dtype == "void":
            return f"{node.name} = T.handle()"
        return f'{node.name} = T.handle("{annotation.element_type.dtype}", "{annotation.storage_scope or "global"}")'
    return f"{node.name} = T.{node.dtype}()"


def _used(node):
    """Variables and buffers, in the order in which they occur first; the pointers of buffers are theirs."""
    found, hidden = [], []

    def note(x):
        if not any(x.same_as(y) for y in found + hidden):
            found.append(x)

    def enter(x):
        kind = _core.kind(x)
        if kind == "CommReducer":
            hidden.extend([*x.lhs, *x.rhs])
        elif kind == "IndexMap":
            hidden.extend(x.initial_indices)
        if kind == "Buffer":
            hidden.append(x.data)
            for extent in x.shape:
                _core.walk(extent, enter, None)
            note(x)
            return False
        if kind in ("Var", "SizeVar"):
            note(x)
        return None

    _core.walk(node, enter, None)
    return found


def script(self, *, verbose_expr=False, **options):
    """The TVMScript text."""
    kind = _core.kind(self)
    if not verbose_expr:
        return _text(self)
    lines = [_declaration(x) for x in _used(self) if kind != "MatchBufferRegion" or not x.same_as(self.buffer)]
    if kind == "MatchBufferRegion":
        dtype = "" if self.buffer.dtype == "float32" else f', "{self.buffer.dtype}"'
        text = f"{self.buffer.name} = T.match_buffer({_text(self.source)}, {_shape(list(self.buffer.shape))}{dtype})"
    else:
        text = _text(self)
    return "\n".join(lines + [text])


def show(self, style=None, black_format=None, **options):
    """Prints the text."""
    from ..script.highlight import cprint

    cprint(self.script(**options), style=style)


def install(*classes):
    """Gives classes these two methods."""
    for cls in classes:
        cls.script, cls.show = script, show
