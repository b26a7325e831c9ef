"""Names of element types."""


class DataTypeCode:
    """DLPack's type codes."""

    INT = 0
    UINT = 1
    FLOAT = 2
    HANDLE = 3
    BFLOAT = 4
    Float8E3M4 = 7
    Float8E4M3 = 8
    Float8E4M3B11FNUZ = 9
    Float8E4M3FN = 10
    Float8E4M3FNUZ = 11
    Float8E5M2 = 12
    Float8E5M2FNUZ = 13
    Float8E8M0FNU = 14
    Float6E2M3FN = 15
    Float6E3M2FN = 16
    Float4E2M1FN = 17


def _small_codes():
    """The codes of floats of 8 bits and less by their names without underscores, in capitals."""
    return {name.upper(): code for name, code in vars(DataTypeCode).items() if name.startswith("Float")}


# Types by the names that they had before 2025, or without their only width.
_OTHER_NAMES = {"bfloat": "bfloat16", "e4m3_float8": "float8_e4m3fn", "e5m2_float8": "float8_e5m2"}


class InvalidDataType(ValueError, AssertionError):
    """A text that is no element type."""


class DataType(str):
    """An element type; a text such as "float32" with its parts."""

    def __new__(cls, text):
        parts = str(text).split("x")
        if len(parts) > 2 and parts[1] != "vscale":
            raise InvalidDataType(f"Invalid data type. Expected 'vscale' but got '{parts[1]}'")
        return super().__new__(cls, text)

    @property
    def _parts(self):
        text = str(self)
        if text == "bool":
            return DataTypeCode.UINT, 1, 1
        if text == "handle":
            return DataTypeCode.HANDLE, 64, 1
        for name, other in _OTHER_NAMES.items():
            text = text.replace(name, other) if text.partition("x")[0] == name else text
        head, _, lanes = text.replace("vscalex", "-").partition("x")
        name = head.partition("_")[0].rstrip("0123456789")
        bits = head.partition("_")[0][len(name):] or "32"
        if "_" in head:
            return _small_codes()[head.replace("_", "").upper()], int(bits), int(lanes or 1)
        code = {"int": 0, "uint": 1, "float": 2, "handle": 3, "bfloat": 4}.get(name, 2)
        return code, int(bits), int(lanes or 1)

    @property
    def type_code(self):
        """DLPack's code."""
        return self._parts[0]

    @property
    def bits(self):
        """Bits of one lane."""
        return self._parts[1]

    @property
    def lanes(self):
        """Lanes of a vector."""
        return self._parts[2]

    def itemsize(self):
        """Bytes of one element."""
        if self.lanes < 0:
            raise ValueError(f"the size of {self} depends on the processor")
        return (self.bits * self.lanes + 7) // 8
