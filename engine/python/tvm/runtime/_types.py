"""Names of element types."""


class DataTypeCode:
    """DLPack's type codes."""

    INT = 0
    UINT = 1
    FLOAT = 2
    HANDLE = 3
    BFLOAT = 4


class DataType(str):
    """An element type; a text such as "float32" with its parts."""

    @property
    def _parts(self):
        text = str(self)
        if text == "bool":
            return DataTypeCode.UINT, 1, 1
        if text == "handle":
            return DataTypeCode.HANDLE, 64, 1
        head, _, lanes = text.replace("vscalex", "-").partition("x")
        name = head.partition("_")[0].rstrip("0123456789")
        bits = head.partition("_")[0][len(name):] or "32"
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
