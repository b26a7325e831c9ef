"""Blocks that are matrix products, in whatever order and number their axes come (convolutions too)."""
from ...tir import IndexMap, IntImm, IterVar, Var
from .access import has, region_variables

BATCH, ROW, COLUMN, SUM, UNIT = "S", "I", "J", "K", "T"


class Product:
    """A block C[s, i, j] += A[s, i, k] * B[s, j, k] with each letter for any number of its axes.

    kinds: {number of an iterator: "S", "I", "J", "K", or "T" for one of extent 1}.
    """

    def __init__(self, block, kinds):
        self.block, self.kinds = block, kinds

    def _map(self, numbers, order):
        """The iterators of these numbers fused by kind, in the order of the kinds."""
        own, fused = [], {}
        for number in numbers:
            one = self.block.iter_vars[number]
            kind, extent = self.kinds[number], one.dom.extent
            var = Var(f"i{len(own)}", extent.dtype if hasattr(extent, "dtype") else "int32")
            own.append(var)
            if kind != UNIT:
                fused[kind] = fused[kind] * extent + var if kind in fused else var
        zero = IntImm(own[0].dtype, 0)
        return IndexMap(own, [fused.get(kind, zero) for kind in order], None)

    def _of(self, region):
        used = region_variables(self.block, region)
        return [i for i, one in enumerate(self.block.iter_vars) if has(used, one.var)]

    def block_map(self):
        """From the block's iterators to (s, i, j, k)."""
        return self._map(range(len(self.block.iter_vars)), [BATCH, ROW, COLUMN, SUM])

    def operand_maps(self):
        """From the iterators in A, B and C to (s, i, k), (s, j, k), (s, i, j)."""
        block = self.block
        return (self._map(self._of(block.reads[0]), [BATCH, ROW, SUM]), self._map(self._of(block.reads[1]), [BATCH, COLUMN, SUM]),
                self._map(self._of(block.writes[0]), [BATCH, ROW, COLUMN]))

    def extents(self, kind):
        """The extents of the axes of a kind; an int where it is known."""
        found = [self.block.iter_vars[i].dom.extent for i, one in self.kinds.items() if one == kind]
        return [int(one) if isinstance(one, IntImm) else one for one in found]


def detect_product(block):
    """The block as a matrix product with at least one row, column and sum axis; None where it is none."""
    if len(block.reads) != 2 or len(block.writes) != 1:
        return None
    regions = [block.reads[0], block.reads[1], block.writes[0]]
    if any(not (isinstance(dim.extent, IntImm) and int(dim.extent) == 1) for region in regions for dim in region.region):
        return None
    in_a, in_b, in_c = (region_variables(block, region) for region in regions)
    rules = {(True, True, True): BATCH, (True, False, True): ROW, (False, True, True): COLUMN, (True, True, False): SUM}
    kinds = {}
    for i, one in enumerate(block.iter_vars):
        kind = rules.get((has(in_a, one.var), has(in_b, one.var), has(in_c, one.var)))
        if isinstance(one.dom.extent, IntImm) and int(one.dom.extent) == 1:
            kind = UNIT
        if kind is None or (kind == SUM) != (one.iter_type == IterVar.CommReduce) and kind != UNIT:
            return None
        kinds[i] = kind
    return Product(block, kinds) if {ROW, COLUMN, SUM} <= set(kinds.values()) else None
