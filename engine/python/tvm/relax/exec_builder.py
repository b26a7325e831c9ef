"""ExecBuilder: an executable of the virtual machine, written instruction by instruction.

Registers, constants and functions are operands; get() numbers the registers in the order of their appearance, checks that
each is written before it is read, and hands the code to the machine in its own encoding.
"""
from ..error import TVMError
from ..runtime import DataType
from ..runtime.container import ShapeTuple
from ..runtime.ndarray import NDArray
from .vm_build import VMExecutable, machine

# The numbers of engine/runtime/vm.h.
_MOVE, _PACKED, _FUNCTION, _VALUE, _JUMP, _JUMP_UNLESS, _RETURN, _SHAPE, _CLOSURE_LAST = 0, 2, 3, 4, 5, 6, 7, 9, 14
_REG, _CONST, _IMM, _REAL, _TEXT = 0, 2, 3, 4, 5


class SpecialReg:
    """Registers that every function has."""

    VOID_ARG = -1
    VM_STATE = -2


class VMFuncKind:
    """What can be called."""

    PACKED_FUNC = 0
    VM_FUNC = 1


class Operand:
    """What an instruction reads or writes: a register, a number, a constant, a function."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def __eq__(self, other):
        return isinstance(other, Operand) and (self.kind, self.value) == (other.kind, other.value)

    def __hash__(self):
        return hash((self.kind, self.value))

    def __repr__(self):
        return {"reg": "%", "imm": "i", "const": "c", "func": "f"}[self.kind] + f"[{self.value}]" if self.kind != "reg" else f"%{self.value}"


_VOID = Operand("reg", SpecialReg.VOID_ARG)
_STATE = Operand("reg", SpecialReg.VM_STATE)


class VMFuncScope:
    """The body of a function; leaving it ends the function."""

    stack = []

    def __init__(self, exit_callback):
        self.exit_callback = exit_callback

    def __enter__(self):
        VMFuncScope.stack.append(self)
        return self

    def __exit__(self, ptype, value, trace):
        VMFuncScope.stack.pop()
        if ptype is None:
            self.exit_callback()


class _Body:
    """A function that is being written: lists of (what, name or offset, operands, result)."""

    def __init__(self, name, num_inputs, param_names):
        self.name = name
        self.params = list(param_names) if param_names else [f"%{i}" for i in range(num_inputs)]
        self.instructions = []


class ExecBuilder:
    """Writes executables."""

    def __init__(self):
        self._functions, self._declared, self._open = {}, {}, None
        self._constants, self._module = [], None

    # ---- operands -------------------------------------------------------------------------------

    def r(self, idx):
        """A register."""
        return Operand("reg", int(idx))

    def imm(self, value):
        """A whole number in the code."""
        return Operand("imm", int(value))

    def c(self, idx):
        """A constant by its number."""
        return Operand("const", int(idx))

    def f(self, name):
        """A function by its name."""
        return Operand("func", name)

    def void_arg(self):
        """No value."""
        return _VOID

    def vm_state(self):
        """The machine itself, which its own functions take first."""
        return _STATE

    def declare_function(self, func_name, kind=VMFuncKind.PACKED_FUNC):
        """Says of what kind a function is before it is written."""
        self._declared[func_name] = kind

    def convert_constant(self, const):
        """The operand of a constant; equal constants are one."""
        if isinstance(const, Operand):
            return const
        if isinstance(const, (bool, int)):
            return self.imm(const)
        if isinstance(const, (tuple, list)) and not isinstance(const, ShapeTuple):
            const = ShapeTuple(const)
        if isinstance(const, DataType):
            const = str(const)
        if not isinstance(const, (str, float, ShapeTuple, NDArray)):
            raise TypeError(f"a constant of an executable is not {const!r}")
        for i, known in enumerate(self._constants):
            if type(known) is type(const) and _same(known, const):
                return self.c(i)
        self._constants.append(const)
        return self.c(len(self._constants) - 1)

    # ---- instructions ---------------------------------------------------------------------------

    def function(self, func_name, num_inputs=0, param_names=None):
        """Begins a function; its instructions are written in the body of a `with`."""
        if self._open is not None:
            raise TVMError(f"{func_name}: the function {self._open.name} is not at its end")
        if func_name in self._functions:
            raise TVMError(f"there is a function {func_name} already")
        self._open = self._functions[func_name] = _Body(func_name, num_inputs, param_names)
        return VMFuncScope(self._end)

    def _end(self):
        self._open = None

    def _check_scope(self):
        if not VMFuncScope.stack:
            raise ValueError("emit should happen in a function scope")

    def _emit(self, what, target, args, dst):
        self._check_scope()
        self._open.instructions.append((what, target, args, dst))

    def emit_call(self, name, args=None, dst=None):
        """Calls a function by its name."""
        self._emit("call", name, [self.convert_constant(x) for x in args or []], dst if dst is not None else _VOID)

    def emit_ret(self, result):
        """Ends the function with a result."""
        self._emit("ret", None, [self.convert_constant(result)], None)

    def emit_goto(self, pc_offset):
        """Goes on pc_offset instructions later."""
        self._emit("goto", int(pc_offset), [], None)

    def emit_if(self, cond, false_offset):
        """Goes on with the next instruction if the condition holds, false_offset later if not."""
        self._emit("if", int(false_offset), [self.convert_constant(cond)], None)

    # ---- the end --------------------------------------------------------------------------------

    def get(self):
        """The executable."""
        native = machine()
        pool = _Pool(self._constants, list(self._functions))
        rows = [_Assembler(body, pool).row() for body in self._functions.values()]
        return VMExecutable(native.vm_assemble(rows, pool.strings, pool.arrays, pool.floats))


def _same(a, b):
    if isinstance(a, NDArray):
        return a.dtype == b.dtype and tuple(a.shape) == tuple(b.shape) and bool((a.numpy() == b.numpy()).all())
    return a == b


class _Pool:
    """Constants of all functions as the machine keeps them."""

    def __init__(self, constants, functions):
        self.constants, self.functions = constants, functions
        self.strings, self.arrays, self.floats = [], [], []

    def number(self, table, value):
        """Its place, at the end if it is new."""
        for i, known in enumerate(table):
            if known is value or (isinstance(value, (str, float)) and known == value):
                return i
        table.append(value)
        return len(table) - 1


class _Assembler:
    """One function in the machine's encoding."""

    def __init__(self, body, pool):
        self.body, self.pool = body, pool
        self.registers = {i: i for i in range(len(body.params))}
        self.written = set(self.registers)
        self.n_registers = len(self.registers)
        self.void = None

    def fresh(self):
        """A new register."""
        self.n_registers += 1
        return self.n_registers - 1

    def read(self, operand, prelude):
        """(kind, number); what has to be made first is put into prelude."""
        if operand.kind == "imm":
            return _IMM, operand.value
        if operand.kind == "reg":
            if operand.value == SpecialReg.VOID_ARG:
                self.void = self.fresh() if self.void is None else self.void
                return _REG, self.void
            if operand.value not in self.written:
                raise TVMError(f"{self.body.name}: register %{operand.value} is read before anything was written to it")
            return _REG, self.registers[operand.value]
        if operand.kind == "func":
            raise TVMError(f"{self.body.name}: the function {operand.value} is not a value; vm.builtin.make_closure takes it")
        if not 0 <= operand.value < len(self.pool.constants):
            raise TVMError(f"{self.body.name}: there is no constant {operand.value}")
        value = self.pool.constants[operand.value]
        if isinstance(value, ShapeTuple):
            at = self.fresh()
            prelude.append((_SHAPE, at, 0, [(_IMM, int(x)) for x in value]))
            return _REG, at
        if isinstance(value, str):
            return _TEXT, self.pool.number(self.pool.strings, value)
        if isinstance(value, float):
            return _REAL, self.pool.number(self.pool.floats, value)
        return _CONST, self.pool.number(self.pool.arrays, value)

    def write(self, operand):
        """The register of a result, or -1."""
        if operand.kind != "reg" or operand.value == SpecialReg.VOID_ARG:
            return -1
        if operand.value not in self.registers:
            self.registers[operand.value] = self.fresh()
        self.written.add(operand.value)
        return self.registers[operand.value]

    def call(self, name, args, dst):
        """The instructions of a call."""
        args = [x for x in args if x != _STATE]
        code, target = _PACKED, None
        if name == "vm.builtin.make_closure":
            code, target, args = _CLOSURE_LAST, args[0].value if args and args[0].kind == "func" else None, args[1:]
        elif name == "vm.builtin.invoke_closure":
            code, target = _VALUE, 0
        elif name in self.pool.functions:
            code, target = _FUNCTION, name
        prelude = []
        operands = [self.read(x, prelude) for x in args]
        if code in (_FUNCTION, _CLOSURE_LAST):
            if target not in self.pool.functions:
                raise TVMError(f"{self.body.name}: there is no function {target}")
            target = self.pool.functions.index(target)
        elif code == _PACKED:
            target = self.pool.number(self.pool.strings, name)
        return prelude + [(code, self.write(dst), target, operands)]

    def lines(self):
        """The encoded instructions of each instruction; jumps still say how far they go."""
        for i, (what, target, args, dst) in enumerate(self.body.instructions):
            prelude = []
            if what == "call":
                yield self.call(target, args, dst)
            elif what == "ret":
                value = self.read(args[0], prelude)
                yield prelude + [(_RETURN, -1, 0, [value])]
            elif what == "if":
                value = self.read(args[0], prelude)
                yield prelude + [(_JUMP_UNLESS, -1, ("to", i + target), [value])]
            else:
                yield [(_JUMP, -1, ("to", i + target), [])]

    def row(self):
        """What vm_assemble takes of a function."""
        groups, starts, count = list(self.lines()), [], 0
        for group in groups:
            starts.append(count)
            count += len(group)
        code = []
        for op, dst, target, operands in (line for group in groups for line in group):
            if isinstance(target, tuple):
                if not 0 <= target[1] < len(starts):
                    raise TVMError(f"{self.body.name}: a jump leads out of the function")
                target = starts[target[1]]
            code += [op, dst, target, len(operands)]
            for kind, number in operands:
                code += [kind, number]
        return self.body.name, self.body.params, self.n_registers, code
