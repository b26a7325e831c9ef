"""Schedule: its primitives are made from the engine's table."""
import functools
import os
import weakref

import _loopscope as _core

from ...error import TVMError
from ...ir.module import IRModule
from ...runtime.object import Object
from ..expr import Var
from ..function import IndexMap, PrimFunc
from .block_scope import StmtSRef
from .fast_words import fast_words
from .report import shown
from .trace import Trace


class ScheduleError(TVMError):
    """A primitive is refused: what it needs does not hold.

    The sentence shows the whole program; it is written when somebody reads it, for a search is refused often and reads nothing.
    """

    _write = None

    @classmethod
    def _later(cls, write):
        """One whose sentence `write()` makes."""
        self = cls()
        self._write = write
        return self

    @property
    def args(self):
        write, self._write = self._write, None
        if write is not None:
            BaseException.args.__set__(self, (write(),))
        return BaseException.args.__get__(self)

    @args.setter
    def args(self, value):
        self._write = None
        BaseException.args.__set__(self, value)

    def __str__(self):
        self.args
        return super().__str__()

    def __repr__(self):
        self.args
        return super().__repr__()

    def __reduce__(self):
        return type(self), self.args


_core.set_exception("ScheduleError", ScheduleError)


class LoopRV(Object):
    """A handle of a loop."""

    __slots__ = ()

    def __new__(cls):
        return _core.new_handle(False)

    def __repr__(self):
        return f"LoopRV({hex(_core.address(self))})"


class BlockRV(Object):
    """A handle of a block."""

    __slots__ = ()

    def __new__(cls):
        return _core.new_handle(True)

    def __repr__(self):
        return f"BlockRV({hex(_core.address(self))})"


SBlockRV = BlockRV
_removed = weakref.WeakKeyDictionary()          # schedule -> addresses of handles that were forgotten
_levels = weakref.WeakKeyDictionary()           # schedule -> error_render_level where it is not "detail"
_masks = weakref.WeakKeyDictionary()            # schedule -> debug_mask where it is not 0
ExprRV = Var
RAND_VAR_TYPE = (Var, BlockRV, LoopRV)
_core.schedule_classes(BlockRV, LoopRV)
if os.environ.get("LOOPSCOPE_STRICT") == "1":
    _core.set_strict(True)

# ORDER LsParamType, LsParamFlags, LsResultType, LsInstructionFlags (engine/schedule/schedule.h)
(_BLOCK, _LOOP, _BLOCK_OR_LOOP, _LOOPS, _BLOCKS, _BLOCKS_OR_LOOP, _INT, _BOOL, _STRING, _FACTORS, _INTS, _FLOATS, _STRINGS, _BUFFER, _INDEX_MAP,
 _VALUE) = range(16)
_VARIADIC, _OPTIONAL = 1, 2
_PURE, _SAMPLES = 1, 2

_ROWS = _core.instructions()
_ROW_OF = {row[0]: i for i, row in enumerate(_ROWS)}


def _index_map(sch, block, value, ndim):
    if callable(value) and not isinstance(value, IndexMap):
        return IndexMap.from_func(value, ndim=ndim() if ndim else None, index_dtype=sch._index_dtype(block))
    return value


def _buffer_arg(sch, block, value):
    """A buffer as (what, number): a Buffer of the block or its name."""
    if isinstance(value, str) and block is not None:
        return value
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("read", "write"):
        found = sch.get(sch._block(block))
        regions = found.reads if value[0] == "read" else found.writes
        assert 0 <= value[1] < len(regions), f"block {found.name_hint} {value[0]}s {len(regions)} buffers, so there is no number {value[1]}"
        return [value[0], int(value[1])]
    if hasattr(value, "data") and hasattr(value, "shape"):
        return value.name
    return value


def _render(level, error, args, primitive, mod):
    """The words of a refusal with TVM's first line; TVM's for a block that is not there too, since programs look for them."""
    message = str(error)
    missing = "schedule/get_block/no-block" in message
    if level == "none":
        return "ScheduleError: (not rendered)"
    if level == "fast":
        return "ScheduleError: Cannot find a block with the specified name" if missing else fast_words(message) or message.split("\n", 1)[0]
    more = f"Cannot find a block with the name: {args[0]}\n" if missing else ""
    return f"ScheduleError: An error occurred in the schedule primitive '{primitive.replace('_', '-')}'.\n{shown(mod, error)}{message}{more}"


class Schedule(_core.Schedule):
    """A module and the steps that transform it."""

    def __new__(cls, mod, *, seed=None, debug_mask="none", error_render_level="detail", enable_check=True, strict=None):
        if isinstance(mod, PrimFunc):
            mod = IRModule({"main": mod})
        elif not isinstance(mod, IRModule):
            raise TypeError(f"mod is an IRModule or a PrimFunc, not {type(mod)}")
        if error_render_level not in ("detail", "fast", "none"):
            raise ValueError('error_render_level can be "detail", "fast", or "none", but got: ' + f"{error_render_level}")
        from .state import parse_debug_mask

        mask = parse_debug_mask(debug_mask)
        self = super().__new__(cls, mod, -1 if seed is None else int(seed))
        if strict is not None:
            self._set_strict(strict)
        if error_render_level != "detail":
            _levels[self] = error_render_level
        if mask != 0:
            _masks[self] = mask
        return self

    @property
    def strict(self):
        """Are steps refused that change the order of reads and writes that depend on each other?  Else they are warned of; see loopscope.strict."""
        return self._is_strict()

    @strict.setter
    def strict(self, on):
        self._set_strict(on)

    @property
    def _debug_mask(self):
        return _masks.get(self, 0)

    def _apply(self, row, args, *decision):
        try:
            made = super()._apply(row, args, *decision)
            if self in _masks:
                self._verify(_masks[self])
            return made
        except ScheduleError as error:
            level, mod, refused = _levels.get(self, "detail"), self.mod, error
            raise ScheduleError._later(lambda: _render(level, refused, args, _ROWS[row][0], mod)) from None

    @staticmethod
    def _create_non_traced(mod, *, seed=None, debug_mask="none", error_render_level="detail", enable_check=True):
        return Schedule(mod, seed=seed, debug_mask=debug_mask, error_render_level=error_render_level)

    # ---- what it is ------------------------------------------------------------------------

    @property
    def mod(self):
        """The module as it is now."""
        return self._module()

    @property
    def state(self):
        """What is known of the blocks."""
        from .state import ScheduleState

        return ScheduleState(self)

    @property
    def trace(self):
        """The steps so far."""
        return Trace._wrap(self._trace())

    @property
    def func_working_on(self):
        """The function that work_on named, or None."""
        name = self._working_on()
        return self.mod.get_global_var(name) if name is not None else None

    def _function(self):
        name = self._working_on()
        if name is None:
            functions = [v.name_hint for v, f in self.mod.functions.items() if isinstance(f, PrimFunc)]
            if len(functions) > 1 and "main" not in functions:
                raise ValueError("The schedule does not know which function to be working on; call work_on, or name one with func_name")
        return name

    def work_on(self, func_name):
        """Looks for blocks in this function from here on."""
        self._work_on(func_name)

    def copy(self):
        """A branch with the same steps."""
        copy = self._copy()
        for kept in (_levels, _masks):
            if self in kept:
                kept[copy] = kept[self]
        return copy

    def seed(self, seed):
        """Where random decisions start."""
        if seed == -1:
            import random

            seed = random.getrandbits(30)
        self._set_seed(seed)

    def fork_seed(self):
        """A seed for another schedule."""
        import random

        return random.getrandbits(30)

    def _repr_html_(self):
        """What a notebook shows: the program, and each step with what it changed."""
        from ...runtime.rich import schedule

        return schedule(self)

    def show(self, style=None, black_format=None):
        """Prints the module and the steps."""
        from ...script.highlight import cprint

        cprint(str(self.mod.script()) + "\n" + str(self.trace), style=style)

    def get(self, rand_var_or_sref):
        """The block, loop or number that a handle stands for."""
        if isinstance(rand_var_or_sref, StmtSRef):
            return rand_var_or_sref.stmt
        found = None if _core.address(rand_var_or_sref) in _removed.get(self, ()) else self._resolve(rand_var_or_sref)
        if found is None:
            what = "block" if isinstance(rand_var_or_sref, BlockRV) else "loop" if isinstance(rand_var_or_sref, LoopRV) else "number"
            raise IndexError(f"The {what} no longer exists in the IRModule")
        return found

    def get_sref(self, rand_var_or_stmt):
        """The place of a block or loop."""
        if isinstance(rand_var_or_stmt, (BlockRV, LoopRV)):
            return self._sref_of(self.get(rand_var_or_stmt))
        return self._sref_of(rand_var_or_stmt)

    def _sref_of(self, stmt):
        parents = []
        found = []

        def enter(node):
            if found:
                return False
            if node.same_as(stmt):
                found.extend(parents)
                found.append(stmt)
                return False
            if _core.kind(node) in ("For", "Block"):
                parents.append(node)
            return True

        def leave(node):
            if parents and parents[-1].same_as(node):
                parents.pop()

        for func in self.mod.functions.values():
            if not found:
                _core.walk(func, enter, leave)
        if not found:
            return None
        ref = None
        for node in found:
            ref = StmtSRef(node, -1, ref, self)
        return ref

    def remove_rv(self, rand_var):
        """Forgets a handle; the engine keeps it for the trace."""
        _removed.setdefault(self, set()).add(_core.address(rand_var))

    # ---- from the table -----------------------------------------------------------------------

    def _index_dtype(self, block):
        block = self.get_block(block, func_name=self._working_on()) if isinstance(block, str) else block
        found = self._resolve(block) if block is not None else None
        if found is None:
            return "int32"
        for var in found.iter_vars:
            return var.var.dtype
        return "int32"

    def _block(self, block):
        return self.get_block(block, func_name=self._working_on()) if isinstance(block, str) else block

    def _buffer_ndim(self, block, buffer):
        found = self._resolve(self._block(block))
        buffer = buffer.name if hasattr(buffer, "data") and hasattr(buffer, "shape") else buffer
        if found is None:
            return None
        what, index = buffer if isinstance(buffer, (list, tuple)) else ("any", buffer)
        regions = list(found.reads) + list(found.writes)
        if isinstance(index, str):
            chosen = [r for r in regions if r.buffer.name == index]
            return len(chosen[0].buffer.shape) if chosen else None
        regions = list(found.writes if what == "write" else found.reads)
        return len(regions[index].buffer.shape) if index < len(regions) else None


def _default(text):
    if text is None:
        return None
    if text in ("None", "True", "False"):
        return text
    try:
        int(text)
        return text
    except ValueError:
        return repr(text)


def _make_method(number, row):
    name, params, result, flags, summary, condition = row
    arguments, values = ["self"], []
    samples = bool(flags & _SAMPLES)
    for pname, ptype, pflags, default, _ in params:
        if pflags & _VARIADIC:
            arguments.append("*" + pname)
            values.append(pname)
            continue
        given = _default(default)
        arguments.append(pname if given is None else f"{pname}={given}")
        if ptype == _INDEX_MAP or (ptype == _VALUE and pname == "pad_value"):
            ndim = "(lambda: self._buffer_ndim(block, buffer))" if any(p[0] == "buffer" for p in params) else "(lambda: len(self.get(block).iter_vars))"
            first = params[0][0]
            values.append(f"_index_map(self, {first}, {pname}, {ndim})")
        elif ptype == _BUFFER:
            values.append(f"_buffer_arg(self, {params[0][0]}, {pname})")
        elif pname == "func_name":
            values.append(f"{pname} if {pname} is not None else self._function()")
        else:
            values.append(pname)
    if samples:
        arguments.append("decision=None")
    args = "(" + "".join(v + ", " for v in values) + ")"
    takes_map = bool(params) and params[0][1] == _BLOCK and any(p[1] in (_INDEX_MAP, _BUFFER) for p in params)
    first = f"    {params[0][0]} = self._block({params[0][0]})\n" if takes_map else ""
    code = f"def {name}({', '.join(arguments)}):\n{first}    return self._apply({number}, {args}{', decision' if samples else ''})\n"
    space = {"_index_map": _index_map, "_buffer_arg": _buffer_arg}
    exec(compile(code, f"<schedule {name}>", "exec"), space)  # noqa: S102
    method = space[name]
    lines = [summary or name, ""]
    if condition:
        lines += [condition, ""]
    lines += [f"{pname}: {words}" for pname, _, _, _, words in params]
    method.__doc__ = "\n".join(lines)
    method.__qualname__ = f"Schedule.{name}"
    method.__module__ = __name__
    return method


for _number, _row in enumerate(_ROWS):
    if _row[0] not in vars(Schedule):
        setattr(Schedule, _row[0], _make_method(_number, _row))


def _under_older_name(method, older, newer):
    """The method with an argument that may be given by the name that it had before."""
    @functools.wraps(method)
    def taken(self, *args, **kwargs):
        if older in kwargs:
            kwargs[newer] = kwargs.pop(older)
        return method(self, *args, **kwargs)

    return taken


Schedule.blockize = _under_older_name(Schedule.blockize, "loop", "target")      # TVM of 2022, as the course's notebooks have it

_plain_transform_layout = Schedule.transform_layout


def _transform_layout(self, block, buffer, index_map, pad_value=None, *, assume_injective_transform=False):
    block, separators = self._block(block), []
    if callable(index_map) and not isinstance(index_map, IndexMap):
        index_map, separators = IndexMap.from_func_with_separators(index_map, ndim=self._buffer_ndim(block, buffer), index_dtype=self._index_dtype(block))
    _plain_transform_layout(self, block, buffer, index_map, pad_value, assume_injective_transform)
    if separators:
        self.set_axis_separator(block, buffer, separators)


_transform_layout.__doc__ = _plain_transform_layout.__doc__
_transform_layout.__name__ = "transform_layout"
Schedule.transform_layout = _transform_layout


def _flat_ranges(ranges):
    """Begin and end of each dimension in one list, as the engine takes them."""
    ends = []
    for given in ranges:
        if isinstance(given, (tuple, list)):
            if len(given) != 2:
                raise ValueError("Tuple must have exactly 2 elements to represent (start, end).")
            ends.extend(given)
        else:
            ends.extend([given, given + 1])
    return ends


_plain_annotate_buffer_access = Schedule.annotate_buffer_access


def _annotate_buffer_access(self, block, buffer_index, buf_type, gen_new_ranges):
    block = self._block(block)
    found = self.get(block)
    if not isinstance(gen_new_ranges, IndexMap):
        iters = [x.var for x in found.iter_vars]
        gen_new_ranges = IndexMap(iters, _flat_ranges(gen_new_ranges(*iters)), None)
    _plain_annotate_buffer_access(self, block, buffer_index, buf_type, gen_new_ranges)


_annotate_buffer_access.__doc__ = _plain_annotate_buffer_access.__doc__
_annotate_buffer_access.__name__ = "annotate_buffer_access"
Schedule.annotate_buffer_access = _annotate_buffer_access


def _can_decompose_padding(self, block, loop):
    """Would decompose_padding take the block and the loop?  The schedule stays as it is."""
    trial = self.copy()
    try:
        trial.decompose_padding(block, loop)
    except ScheduleError:
        return False
    return True


_can_decompose_padding.__name__ = "can_decompose_padding"
Schedule.can_decompose_padding = _can_decompose_padding

for _new, _old in (("get_sblock", "get_block"), ("get_child_sblocks", "get_child_blocks"), ("get_output_sblocks", "get_output_blocks"),
                   ("transform_sblock_layout", "transform_block_layout")):
    if hasattr(Schedule, _old):
        setattr(Schedule, _new, getattr(Schedule, _old))


def _enter_postproc(self):
    """Marks where post-processing begins."""


if not hasattr(Schedule, "enter_postproc"):
    Schedule.enter_postproc = _enter_postproc
