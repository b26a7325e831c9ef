"""A module of layers as an IRModule: each method runs once, with placeholders for its arguments, inside a function of a BlockBuilder."""
import threading

from .... import tir
from ... import expr as rx
from ...analysis import well_formed
from ...block_builder import BlockBuilder
from ...struct_info import ObjectStructInfo, ShapeStructInfo, TupleStructInfo
from . import core
from . import spec as _spec
from .modules import IOEffect

_open = threading.local()


def add_extern(mod):
    """Adds a module from outside to the model that is being exported."""
    if getattr(_open, "exporter", None) is None:
        raise RuntimeError("`nn.add_extern` should only be invoked when exporting a module.")
    Exporter.current().add_external_module(mod)


class _Symbols(dict):
    """Symbolic extents by name: one variable for each."""

    def __missing__(self, name):
        self[name] = tir.Var(name, "int64")
        return self[name]


class Exporter:
    """Makes an IRModule of a ModuleSpec."""

    def __init__(self, debug):
        self.builder = BlockBuilder()
        self.io_effect = IOEffect() if debug else None
        self.extern_mods = []

    @staticmethod
    def current():
        """The exporter that is at work."""
        assert getattr(_open, "exporter", None) is not None, "no module is being exported"
        return _open.exporter

    def __enter__(self):
        assert getattr(_open, "exporter", None) is None
        _open.exporter = self
        return self

    def __exit__(self, exc_type, exc, traceback):
        _open.exporter = None

    def add_external_module(self, mod):
        """Adds a module from outside; its names are new."""
        double = [name for other in self.extern_mods for name in other._symbols if name in mod._symbols]
        if double:
            raise ValueError(f"Duplicate symbols: {double}")
        self.extern_mods.append(mod)

    def build(self, spec):
        """The IRModule, the parameters by name, and the modules from outside."""
        effects = [("", self.io_effect)] if self.io_effect is not None else []
        effects += core._attribute_finder(spec.module, "", lambda x: isinstance(x, core.Effect))
        params = None
        with self:
            if effects:
                self._emit_initialize(effects)
            for name, method in zip(spec.method_names, spec.method_specs):
                params = list(spec.module.named_parameters())
                n_effects = {"packed": 1, "none": 0, "plain": len(effects)}[method.effect_mode]
                with self.builder.function(name, attrs={"num_input": len(method.arg_specs) + n_effects}):
                    with self.builder.dataflow():
                        outputs, inputs = _Method(self.builder, method, params, effects).emit()
                    self.builder.emit_func_output(outputs, inputs)
        mod = self.builder.finalize()
        assert well_formed(mod)
        return mod, params, self.extern_mods

    def _emit_initialize(self, effects):
        with self.builder.function("_initialize_effect", params=[]):
            with self.builder.dataflow():
                states = [var for prefix, effect in effects for var in effect.emit_init(prefix, self.builder)]
                output = self.builder.emit_output(self.builder.emit(rx.Tuple(states)))
            self.builder.emit_func_output(output)


class _Method:
    """One method while it is exported."""

    def __init__(self, builder, spec, params, effects):
        self.builder, self.spec, self.params, self.effects = builder, spec, params, effects

    def emit(self):
        """The output and the parameters of the function."""
        symbols = _Symbols()
        explicit = [self._placeholder(symbols, name, spec) for name, spec in zip(self.spec.arg_names, self.spec.arg_specs)]
        inputs = [self._variable(x) for x in explicit]
        arguments = [self._fields(x, var) for x, var in zip(explicit, inputs)]
        inputs += self._effect_inputs()
        inputs += self._param_inputs()
        outputs = _expression(self.spec.method(*arguments))
        states = [var for _, effect in self.effects for var in effect.finalize()]
        if states and self.spec.effect_mode != "none":
            outputs = rx.Tuple([outputs, rx.Tuple(states)])
        return self.builder.emit_output(outputs), inputs

    def _placeholder(self, symbols, name, spec):
        if isinstance(spec, _spec.Int):
            return symbols[name]
        if isinstance(spec, _spec.Tensor):
            return core.Tensor.placeholder([symbols[x] if isinstance(x, str) else x for x in spec.shape], spec.dtype, name)
        if isinstance(spec, _spec.Object):
            return spec.object_type(_expr=rx.Var(name, ObjectStructInfo()), _name=name)
        if isinstance(spec, _spec.Tuple):
            return _spec.Tuple(name, type(spec.elements)([self._placeholder(symbols, f"{name}_{i}", x) for i, x in enumerate(spec.elements)]))
        raise TypeError(f"Invalid spec for argument {name}: {spec}")

    def _variable(self, arg):
        if isinstance(arg, tir.Var):
            return rx.Var(arg.name, ShapeStructInfo(values=[arg]))
        if isinstance(arg, (core.Tensor, core.Object)):
            return arg._expr
        return rx.Var(arg.name, TupleStructInfo([self._variable(x).struct_info for x in arg.elements]))

    def _fields(self, arg, var):
        """A tuple taken apart; other arguments as they are."""
        if isinstance(arg, _spec.Tuple):
            parts = [(x, self.builder.emit(rx.TupleGetItem(var, i), name_hint=f"{arg.name}_{i}")) for i, x in enumerate(arg.elements)]
            return type(arg.elements)([self._fields(x, part) for x, part in parts])
        return core.Tensor(_expr=var) if isinstance(arg, core.Tensor) else arg

    def _effect_inputs(self):
        states = []
        for name, effect in self.effects:
            states.append(effect.create(name))
            effect.set_state(states[-1])
        flat = [var for each in states for var in each]
        if self.spec.effect_mode == "none":
            return []
        if self.spec.effect_mode == "plain":
            return flat
        packed, at = rx.Var("packed_effects", TupleStructInfo([x.struct_info for x in flat])), 0
        for (_, effect), each in zip(self.effects, states):
            effect.set_state([self.builder.emit(rx.TupleGetItem(packed, at + i), name_hint=var.name_hint) for i, var in enumerate(each)])
            at += len(each)
        return [packed]

    def _param_inputs(self):
        symbols, inputs = _Symbols(), []
        for name, param in self.params:
            shape = [symbols[x.name] if isinstance(x, tir.Var) else x for x in param.shape]
            param._expr = core.Tensor.placeholder(shape, param.dtype, name)._expr
            inputs.append(param._expr)
        if self.spec.param_mode == "none":
            return []
        if self.spec.param_mode == "plain":
            return inputs
        packed = rx.Var("packed_params", TupleStructInfo([x.struct_info for x in inputs]))
        for i, (name, param) in enumerate(self.params):
            param._expr = self.builder.emit(rx.TupleGetItem(packed, i), name_hint=name)
        return [packed]


def _expression(value):
    if isinstance(value, (core.Tensor, core.Object)):
        return value._expr
    if isinstance(value, (tuple, list)):
        return rx.Tuple([_expression(x) for x in value])
    raise TypeError(f"Unsupported return type: {type(value)}")
