"""Registers of functions: statements by the dialect, operators by the type of an operand."""
_STATEMENTS = {}
_OPERATORS = {}
OpMethod = None
ParseMethod = None


def register(token, type_name):
    """Decorator: how a dialect reads statements of a class."""
    def keep(func):
        _STATEMENTS[token, type_name] = func
        return func

    return keep


def get(token, type_name, default=None):
    """What was registered."""
    return _STATEMENTS.get((token, type_name), default)


def register_op(operand_type, op_node_type, operand_index):
    """Decorator: what an operator does with an operand of a type at a place."""
    def keep(func):
        _OPERATORS[operand_type, op_node_type, operand_index] = func
        return func

    return keep


def get_op(operand_type, op_node_type, operand_index, default=None):
    """What was registered."""
    return _OPERATORS.get((operand_type, op_node_type, operand_index), default)
