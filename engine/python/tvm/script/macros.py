"""Macros: functions whose bodies are put where they are called, before a script is read.

A call stands as a statement by itself, as the value of an assignment or of return.  Parameters become the arguments'
expressions.  Names that a hygienic macro does not define itself are those of the place where it was written; the others
are looked up where the macro is called, then there."""
import ast
import builtins
import copy

from . import source as _source


def has_macros(value):
    """Has an object, or a class, methods that are macros?"""
    kind = value if isinstance(value, type) else type(value)
    return any(hasattr(member, "__loopscope_macro__") for member in vars(kind).values()) if kind.__module__ not in ("builtins", "tvm") else False


class _Macro:
    """The body of a macro and its surroundings."""

    def __init__(self, func):
        text, _, _ = _source.definition_of(func)
        self.node = next(n for n in ast.walk(ast.parse(_source.dedent(text))) if isinstance(n, ast.FunctionDef))
        self.hygienic = func.__loopscope_macro__
        self.names = _source.captured([func])
        if self.hygienic:
            self.names.update(getattr(func, "__loopscope_captured__", {}))
        self.names.update({k: v for k, v in getattr(func, "__loopscope_scope__", {}).items() if k not in self.names})


def is_macro(value):
    """Is a value a macro?"""
    return callable(value) and hasattr(value, "__loopscope_macro__")


class _Rename(ast.NodeTransformer):
    """Parameters become expressions, outside names those of the macro's place."""

    def __init__(self, arguments, aliases):
        self.arguments, self.aliases = arguments, aliases

    def visit_Subscript(self, node):  # noqa: N802
        given = self.arguments.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(given, ast.Dict) and isinstance(node.slice, ast.Constant):
            for key, value in zip(given.keys, given.values):
                if key.value == node.slice.value:
                    return copy.deepcopy(value)
        return self.generic_visit(node)

    def visit_Name(self, node):  # noqa: N802
        if node.id in self.arguments:
            return copy.deepcopy(self.arguments[node.id])
        if node.id in self.aliases:
            return ast.Name(self.aliases[node.id], node.ctx)
        return node


def _stored(node):
    result = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            result.add(part.id)
    return result


class _Expand(ast.NodeTransformer):
    """Puts bodies where macros are called."""

    def __init__(self, names, shadowed, used):
        self.names, self.shadowed, self.used, self.count = names, shadowed, used, 0

    def _macro(self, call):
        """The macro that a call means, a function's name or a method of an object with a name; the object becomes the first argument."""
        if not isinstance(call, ast.Call):
            return None
        func = self._value(call.func)
        if not is_macro(func):
            return None
        if getattr(func, "__self__", None) is not None:
            call.args.insert(0, call.func.value)
            func = func.__func__
        return _Macro(func)

    def _value(self, node):
        if isinstance(node, ast.Name):
            return self.names.get(node.id) if node.id not in self.shadowed else None
        inner = self._value(node.value) if isinstance(node, ast.Attribute) else None
        return getattr(inner, node.attr, None) if inner is not None else None

    def _arguments(self, macro, call):
        spec = macro.node.args
        params = [a.arg for a in spec.posonlyargs + spec.args]
        bound = dict(zip(params[len(params) - len(spec.defaults):], spec.defaults))
        bound.update({a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
        if spec.vararg is not None:
            bound[spec.vararg.arg] = ast.Tuple(call.args[len(params):], ast.Load())
        elif len(call.args) > len(params):
            raise TypeError(f"{macro.node.name} takes {len(params)} arguments; {len(call.args)} came")
        bound.update(zip(params, call.args))
        named = {*params, *[a.arg for a in spec.kwonlyargs]}
        more = [k for k in call.keywords if k.arg not in named]
        if more and spec.kwarg is None:
            raise TypeError(f"{macro.node.name} has no parameter {more[0].arg}")
        if spec.kwarg is not None:
            bound[spec.kwarg.arg] = ast.Dict([ast.Constant(k.arg) for k in more], [k.value for k in more])
        bound.update({k.arg: k.value for k in call.keywords if k.arg in named})
        missing = [name for name in params if name not in bound]
        if missing:
            raise TypeError(f"{macro.node.name} needs an argument {missing[0]}")
        return bound

    def _body(self, macro, call):
        bound = self._arguments(macro, call)
        own = set().union(*[_stored(stmt) for stmt in macro.node.body])
        aliases = {}
        for part in [p for stmt in macro.node.body for p in ast.walk(stmt)]:
            if isinstance(part, ast.Name) and part.id not in own and part.id not in bound and part.id in macro.names and not hasattr(builtins, part.id):
                if macro.hygienic and (part.id in self.shadowed or self.names.get(part.id) is not macro.names[part.id]):
                    self.count += 1
                    aliases.setdefault(part.id, f"_macro_{self.count}_{part.id}")
                    self.names[aliases[part.id]] = macro.names[part.id]
                else:
                    self.names.setdefault(part.id, macro.names[part.id])
        if macro.hygienic:
            # Variables of the macro are not those of the caller.
            for name in sorted(own & self.used - set(bound)):
                self.count += 1
                aliases[name] = f"{name}_{self.count}"
        body = [_Rename(bound, aliases).visit(copy.deepcopy(stmt)) for stmt in macro.node.body]
        result = None
        if body and isinstance(body[-1], ast.Return):
            result = body.pop().value
        return body, result

    def _expanded(self, body):
        return [x for stmt in body for x in _list(self.visit(stmt))]

    def visit_Expr(self, node):  # noqa: N802
        macro = self._macro(node.value)
        if macro is None:
            return node
        body, result = self._body(macro, node.value)
        return self._expanded(body + ([ast.Expr(result)] if result is not None else [])) or ast.Pass()

    def _with_value(self, node):
        macro = self._macro(node.value)
        if macro is None:
            return node
        body, result = self._body(macro, node.value)
        node.value = result if result is not None else ast.Constant(None)
        return self._expanded(body + [node])

    visit_Assign = visit_AnnAssign = visit_Return = _with_value


def _list(value):
    return value if isinstance(value, list) else [value]


def expand(text, names):
    """The text with the bodies of the macros among the names; as it is when it calls none."""
    known = [name for name, value in names.items() if is_macro(value) or has_macros(value)]
    if not known or not any(name in text for name in known):
        return text
    tree = ast.parse(_source.dedent(text))
    shadowed = _stored(tree) | {part.arg for part in ast.walk(tree) if isinstance(part, ast.arg)}
    used = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    expander = _Expand(names, shadowed, used)
    tree = ast.fix_missing_locations(expander.visit(tree))
    return ast.unparse(tree)
