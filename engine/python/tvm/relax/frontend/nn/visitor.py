"""Walks over the parts of a model and replaces them."""
from .core import Effect, Module, ModuleDict, ModuleList, Parameter


class Mutator:
    """A subclass overrides visit_module, visit_effect, visit_param, visit_modulelist or visit_moduledict and gives back what stands there from now on."""

    def visit_module(self, name, node):
        """A module; by default its parts are visited."""
        return self.visit(name, node)

    def visit_effect(self, name, node):
        """An effect."""
        return self.visit(name, node)

    def visit_param(self, name, node):
        """A parameter."""
        return self.visit(name, node)

    def visit_modulelist(self, name, node):
        """A list of modules."""
        return self.visit(name, node)

    def visit_moduledict(self, name, node):
        """Modules by name."""
        return self.visit(name, node)

    def visit(self, name, node):
        """Visits the parts of a module and puts what the visits give into their places."""
        def inner(key):
            return key if name == "" else f"{name}.{key}"

        if isinstance(node, ModuleList):
            for i, item in enumerate(node):
                node[i] = self._visit_part(inner(str(i)), item)
        elif isinstance(node, ModuleDict):
            for key, item in list(node.items()):
                node[key] = self._visit_part(inner(key), item)
        else:
            for key, item in list(node.__dict__.items()):
                if isinstance(item, (Module, Effect, Parameter)):
                    setattr(node, key, self._visit_part(inner(key), item))
        return node

    def _visit_part(self, name, item):
        if isinstance(item, ModuleList):
            return self.visit_modulelist(name, item)
        if isinstance(item, ModuleDict):
            return self.visit_moduledict(name, item)
        if isinstance(item, Module):
            return self.visit_module(name, item)
        if isinstance(item, Effect):
            return self.visit_effect(name, item)
        if isinstance(item, Parameter):
            return self.visit_param(name, item)
        return item
