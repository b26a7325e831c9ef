"""Multi-level tiling for tensor cores: the block is laid out as the matrix product that an intrinsic does, and its operands go through
shared memory into fragments.

    shared.dyn copies (all threads fetch together)  ->  fragments a, b  ->  product in an accumulator  ->  shared.dyn copy of the tile  ->  result

Source: what TVM v0.20's MultiLevelTilingTensorCore leaves as a trace.
"""
from ..arith import Analyzer
from ..tir import IndexMap, IntImm, TensorIntrin, Var
from ..tir.schedule.analysis import get_auto_tensorize_mapping_info
from ..tir.schedule.transform import tile_with_tensor_intrin
from ._blocks import STRUCTURE, _variables, needs_tiling
from ._tiling import Tiling, _Design, _bits_of

TENSORIZE = "meta_schedule.auto_tensorize"


class _TensorDesign(_Design):
    """A design with the copies that stand between the block and memory."""

    def __init__(self, sch, block, tiles=(), store=None, shared=()):
        super().__init__(sch, block, tiles)
        self.store, self.shared = store, list(shared)

    def copy(self):
        return _TensorDesign(self.sch.copy(), self.block, self.tiles, self.store, self.shared)


def intrinsic_groups(kind, types):
    """The groups of intrinsics for operands and results of these types, without and with the second operand transposed."""
    source, result = types
    names = {"float16": "f16", "float32": "f32", "int8": "s8", "int32": "s32"}
    a, c = names[source], names[result]
    made = []
    for trans in ("", "_trans"):
        made.append({"init": f"{kind}_fill_16x16x16_{c}", "load_a": f"{kind}_load_16x16x16_{a}_a_shared_dyn",
                     "load_b": f"{kind}_load_16x16x16_{a}_b{trans}_shared_dyn", "compute": f"{kind}_sync_16x16x16_{a}{a}{c}{trans}",
                     "store": f"{kind}_store_16x16x16_{c}_shared_dyn"})
    return made


class TensorTiling(Tiling):
    """The parameters of a rule for one group of intrinsics."""

    def __init__(self, rule, target, group):
        super().__init__(rule, target)
        self.group, self.pipeline = group, bool(rule.use_software_pipeline)
        self.stages, self._factors, self.padded = [], [], False

    def designs(self, sch, block):
        """The schedules with this group; none where the block does not compute what it does."""
        design = self._as_product(sch, block)
        if design is None:
            return []
        made = [self._tile(design)]
        for step in (self._result, self._read_reuse, self._fragments, self._pipelined):
            made = [after for one in made for after in step(one)]
        return [one.sch for one in made]

    # ---- the block as the intrinsic's product --------------------------------------------------

    def _as_product(self, sch, block):
        info = get_auto_tensorize_mapping_info(sch, block, TensorIntrin.get(self.group["compute"]).desc)
        if info is None:
            return None
        stmt, mapping = sch.get(block), info.mappings[0]
        regions = {("read", 0): stmt.reads[0], ("read", 1): stmt.reads[1], ("write", 0): stmt.writes[0]}
        maps = {where: _operand_map(info, mapping, region) for where, region in regions.items()}
        store = sch.reindex(block, ("write", 0))
        loads = [sch.reindex(block, ("read", i)) for i in (0, 1)]
        for where, index_map in maps.items():
            sch.transform_layout(block, where, index_map, assume_injective_transform=True)
        for handle, where in ((store, ("write", 0)), (loads[0], ("read", 0)), (loads[1], ("read", 1))):
            sch.transform_block_layout(handle, maps[where])
        sch.transform_block_layout(block, mapping)
        outer = _tensorized(sch, block, self.group["compute"], allow_padding=True)
        if outer is None:
            return None
        self.padded = any(one.kind.name == "PadEinsum" for one in sch.trace.insts)
        sch.annotate(outer, TENSORIZE + "_init", self.group["init"])
        sch.annotate(outer, "warp_execution", 1)
        return _TensorDesign(sch, outer, (), store)

    # ---- the result -----------------------------------------------------------------------------

    def _result(self, design):
        """The tile in the accumulator, then as a whole in shared memory, then by all threads to where it belongs."""
        sch, block = design.sch, design.block
        if self.write is None or self.write.req == "no":
            return self._result_at_once(design)
        rows, columns = [int(one.extent) for one in self._inner_loops(sch, block)[:2]]
        design.sch.transform_layout(block, ("write", 0), self._tiled_layout(design, rows, columns), assume_injective_transform=True)
        tile = sch.cache_write(block, 0, self.write.scope)
        sch.reverse_compute_at(tile, design.tiles[self.write.levels[0] - 1][-1], preserve_unit_loops=True)
        accumulator = sch.cache_write(block, 0, "wmma.accumulator")
        loops = list(sch.get_loops(tile))
        first = len(loops) - 6
        sch.reorder(loops[first + 2], loops[first], loops[first + 1], loops[first + 3])
        sch.compute_at(accumulator, loops[first + 2], preserve_unit_loops=True)
        loops = list(sch.get_loops(accumulator))
        sch.bind(sch.fuse(*loops[-6:-4]), "threadIdx.y")
        sch.reverse_compute_inline(design.store)
        for padding in [one for one in (sch.get_consumers(tile) if self.padded else ()) if str(sch.get(one).name_hint).endswith("_pad")]:
            sch.reverse_compute_inline(padding)
        loops = list(sch.get_loops(accumulator))
        stored = sch.blockize(loops[-2])
        sch.annotate(stored, TENSORIZE, self.group["store"])
        sch.fuse(*list(sch.get_loops(tile))[-5:])
        self._mark_fetch(sch, tile)
        return [design]

    def _result_at_once(self, design):
        """The tile from the accumulator to where it belongs, without shared memory."""
        sch = design.sch
        accumulator = sch.cache_write(design.block, 0, "wmma.accumulator")
        sch.reverse_compute_at(accumulator, design.tiles[self.levels["R"][0] - 1][-1], preserve_unit_loops=True)
        sch.reverse_compute_inline(design.store)
        for padding in [one for one in (sch.get_consumers(accumulator) if self.padded else ()) if str(sch.get(one).name_hint).endswith("_pad")]:
            sch.reverse_compute_inline(padding)
        return [design] if _tensorized(sch, accumulator, self.group["store"]) is not None else []

    @staticmethod
    def _inner_loops(sch, block):
        """The loops inside of the block that the intrinsic does."""
        found, node = [], sch.get(block).body
        while hasattr(node, "loop_var"):
            found.append(node)
            node = node.body
        return found

    def _tiled_layout(self, design, rows, columns):
        """(i, j) as (tile of a thread block's tiles, tile in it, place in the tile), for both."""
        i, j = Var("i0", "int32"), Var("i1", "int32")
        made = []
        for one, size, number in ((i, rows, 0), (j, columns, 1)):
            factor = self._factors[number][-2] * self._factors[number][-1]
            made.append((one // size // factor, one // size % factor, one % size))
        return IndexMap([i, j], [part[k] for k in range(3) for part in made], None)

    def _split(self, sch, loop, n):
        factors = list(sch.sample_perfect_tile(loop, n, self.innermost))
        self._factors.append(factors)
        return sch.split(loop, factors)

    # ---- the operands ----------------------------------------------------------------------------

    def _with_read_caches(self, design, level):
        sch, block = design.sch, design.block
        found = sch.get(block)
        own = found.writes[0].buffer
        loop = design.tiles[level - 1][-1]
        for i, ndim in enumerate([len(r.buffer.shape) for r in found.reads if not r.buffer.same_as(own)]):
            cache = sch.cache_read(block, i, self.read.scope, [block])
            sch.compute_at(cache, loop, preserve_unit_loops=True)
            sch.fuse(*list(sch.get_loops(cache))[-ndim:])
            self._mark_fetch(sch, cache)
            design.shared.append(cache)
        return design

    def _fragments(self, design):
        """The operands as fragments, and the layouts of their copies in shared memory."""
        sch, block = design.sch, design.block
        loop = design.tiles[self.levels["R"][1]][-1]
        for i, part in enumerate(("load_a", "load_b")):
            fragment = sch.cache_read(block, i, "wmma.matrix_" + "ab"[i])
            sch.compute_at(fragment, loop, preserve_unit_loops=True)
            if _tensorized(sch, fragment, self.group[part]) is None:
                return []
        for cache in design.shared:
            bits = _bits_of(sch.get(cache).writes[0].buffer.dtype)
            for producer in sch.get_producers(cache):
                for before in [one for one in (sch.get_producers(producer) if self.padded else ()) if str(sch.get(producer).name_hint).endswith("_pad")]:
                    sch.compute_inline(before)
                sch.compute_inline(producer)
            if bits in _OFFSETS:
                sch.storage_align(cache, 0, axis=-2, factor=32, offset=_OFFSETS[bits])
        return [design]

    def _pipelined(self, design):
        """Copies to shared memory for the next tile while this one is multiplied."""
        if not self.pipeline:
            return [design]
        sch = design.sch
        reduced = [design.tiles[level] for level in self.levels["R"]]
        if len(reduced) < 2:
            return [design]
        for cache in design.shared:
            sch.annotate(cache, "tir.manifest_shared_memory_local_stage", 1)
            sch.annotate(cache, "double_buffer_scope", 0)
        inner = sch.fuse(*reduced[1])
        sch.annotate(inner, "software_pipeline_stage", [0, 0, 1])
        sch.annotate(inner, "software_pipeline_order", [0, 1, 2])
        outer = sch.fuse(*reduced[0])
        sch.annotate(outer, "software_pipeline_stage", [0, 0, 0, 0, 0, 1, 1])
        sch.annotate(outer, "software_pipeline_order", [0, 3, 1, 4, 5, 2, 6])
        return [design]


# By how much rows of shared memory are shifted against each other, in elements, by their bits.
_OFFSETS = {16: 8, 8: 16}


def _operand_map(info, mapping, region):
    """From the iterators in an operand to the intrinsic's, in the order of the intrinsic's operand; those that it has no place for come first."""
    own = next(one for one in info.lhs_buffer_map if one.same_as(region.buffer))
    asked = info.rhs_buffer_indices[next(b for b in info.rhs_buffer_indices if b.same_as(info.lhs_buffer_map[own]))]
    lead = len(mapping.final_indices) - len(info.rhs_iters)
    analyzer = Analyzer()
    for one in info.lhs_iters:
        if not (isinstance(one.dom.extent, IntImm) and int(one.dom.extent) == 1):      # those stay in the layout
            analyzer.bind(one.var, one.dom)
    used = [var for dim in region.region for var in _variables(analyzer.simplify(dim.min))]
    pairs = [(var, one.var) for var, one in zip(mapping.initial_indices, info.lhs_iters) if any(one.var.same_as(v) for v in used)]
    inside = [var for var, _ in pairs]
    first = [expr for expr in mapping.final_indices[:lead] if any(v.same_as(one) for v in _variables(expr) for one in inside)]
    places = [next(i for i, one in enumerate(info.rhs_iters) if one.var.same_as(var)) for var in asked]
    return IndexMap(inside, first + [mapping.final_indices[lead + place] for place in places], None)


def _tensorized(sch, block, intrin, allow_padding=False):
    """The block that an intrinsic takes of a block's loops, noted; None: it does not compute what the intrinsic does."""
    loop = tile_with_tensor_intrin(sch, block, intrin, allow_padding)
    if loop is None:
        return None
    outer = sch.blockize(loop)
    sch.annotate(outer, TENSORIZE, intrin)
    return outer


def tiled_for_tensor_cores(rule, target, sch, block):
    """The designs of a rule at a block: those of each group that fits, or the schedule as it is."""
    if STRUCTURE in sch.get(block).annotations or not needs_tiling(sch.get_sref(block)):
        return [sch]
    made = []
    for group in rule.intrin_groups:
        own = sch.copy()
        own.annotate(block, STRUCTURE, rule.structure)
        tiling = TensorTiling(rule, target, group)
        made += tiling.designs(own, block)
    return made or [sch]
