"""Multi-level tiling with any structure: the loops of a block as tiles of tiles, bound to threads, with caches for what is written and read.

    structure SSSRRSRS, binds blockIdx.x vthread.x threadIdx.x:
    spatial loops in 5 tiles, reductions in 3, reordered, the first three tiles fused and bound; the caches of what is read stand in
    the tile that reuse_read names, that of what is written behind the tile that reuse_write names.

The CPU's own parameters are the engine's (engine/schedule/space/tiling.c).  Source: TVM v0.20's MultiLevelTiling rules.
"""
from ..tir import For, IterVar, SeqStmt, TensorIntrin
from ..tir.schedule.analysis import get_auto_tensorize_mapping_info, get_tensorize_loop_mapping
from ..tir.schedule.transform import tile_with_tensor_intrin
from ._blocks import STRUCTURE, extent_of, is_write_cache, needs_tiling
from ._threads import COOPERATIVE, limit_of

_LANES = {"float32": lambda n: n <= 4, "float16": lambda n: n <= 8 and (n == 1 or n % 2 == 0), "int8": lambda n: n <= 16}


class _Design:
    """A schedule while it is made: the block, its tiles."""

    def __init__(self, sch, block, tiles=()):
        self.sch, self.block, self.tiles = sch, block, [list(one) for one in tiles]

    def copy(self):
        return _Design(self.sch.copy(), self.block, self.tiles)


class Tiling:
    """The parameters of a rule with those of the target."""

    def __init__(self, rule, target):
        self.structure, self.binds, self.innermost = rule.structure, list(rule.tile_binds or ()), rule._innermost
        self.lanes = [int(n) for n in rule.vector_load_lens or ()]
        self.read, self.write = rule.reuse_read, rule.reuse_write
        self.most_threads, self.warp = limit_of(target, "max_threads_per_block"), limit_of(target, "thread_warp_size")
        arch = str(target.attrs["arch"]) if target is not None and "arch" in target.attrs else ""
        self.stages = [4, 5] if arch.startswith("sm_") and arch[3:].isdigit() and int(arch[3:]) >= 80 else []
        self.levels = {kind: [i for i, c in enumerate(self.structure) if c == kind] for kind in "SR"}

    def designs(self, sch, block):
        """The schedules for a block that is to be tiled."""
        made = [self._tile(_Design(sch, block))]
        for step in (self._write_reuse, self._read_reuse, self._async_pipeline):
            made = [after for design in made for after in step(design)]
        return [design.sch for design in made]

    def _split(self, sch, loop, n):
        return sch.split(loop, sch.sample_perfect_tile(loop, n, self.innermost))

    def _tile(self, design):
        sch, block = design.sch, design.block
        loops = sch.get_loops(block)
        types = [var.iter_type for var in sch.get(block).iter_vars]
        assert len(loops) == len(types), f"block {sch.get(block).name_hint} has {len(types)} variables under {len(loops)} loops"
        tiles = [[] for _ in self.structure]
        product = 1
        for loop, kind in zip(loops, types):
            levels = self.levels["S"] if kind == IterVar.DataPar else self.levels["R"] if kind == IterVar.CommReduce else []
            if kind == IterVar.DataPar and product is not None:
                extent = extent_of(sch.get(loop))
                product = product * extent if extent is not None else None
            if not levels:
                continue
            for level, part in zip(levels, [loop] if len(levels) == 1 else self._split(sch, loop, len(levels))):
                tiles[level].append(part)
        sch.reorder(*[loop for tile in tiles for loop in tile])
        for i, axis in enumerate(self.binds[:len(tiles)]):
            tiles[i] = [sch.fuse(*tiles[i])]
            sch.bind(tiles[i][0], axis)
        design.tiles = tiles
        if self.warp is not None and self.most_threads is not None:
            least = self.warp if product is not None and product > 2 * self.warp else 1
            sch.annotate(block, "meta_schedule.thread_extent_low_inclusive", least)
            sch.annotate(block, "meta_schedule.thread_extent_high_inclusive", self.most_threads)
        return design

    def _write_reuse(self, design):
        if self.write is None or self.write.req == "no":
            return [design]
        levels, req, made = self.write.levels, self.write.req, []
        notes = design.sch.get(design.block).annotations
        if "meta_schedule.write_cache_level" in notes:
            levels, req = [int(one) for one in notes["meta_schedule.write_cache_level"]], "must"
        if req == "may":
            consumers = design.sch.get_consumers(design.block)
            if len(consumers) == 1 and is_write_cache(design.sch.get(consumers[0])):
                return [self._moved(design, consumers[0], level) for level in levels] + [design]
            made.append(design.copy())
        cache = design.sch.cache_write(design.block, 0, self.write.scope)
        return made + [self._moved(design, cache, level) for level in levels]

    @staticmethod
    def _moved(design, cache, level):
        made = design.copy()
        made.sch.reverse_compute_at(cache, made.tiles[level - 1][-1], preserve_unit_loops=True)
        return made

    def _read_reuse(self, design):
        if self.read is None or self.read.req == "no":
            return [design]
        return [self._with_read_caches(design.copy(), level) for level in self.read.levels]

    def _with_read_caches(self, design, level):
        sch, block = design.sch, design.block
        found = sch.get(block)
        loop = design.tiles[level - 1][-1]
        for i, ndim in enumerate([None if r.buffer.same_as(found.writes[0].buffer) else len(r.buffer.shape) for r in found.reads]):
            if ndim is None:
                continue
            cache = sch.cache_read(block, i, self.read.scope, [block])
            sch.compute_at(cache, loop, preserve_unit_loops=True)
            sch.fuse(*sch.get_loops(cache)[-ndim:])
            self._mark_fetch(sch, cache)
        return design

    def _mark_fetch(self, sch, cache):
        fits = _LANES.get(str(sch.get(cache).writes[0].buffer.dtype), lambda n: True)
        lanes = [n for n in self.lanes if fits(n)]
        if lanes:
            sch.annotate(cache, COOPERATIVE, sch.sample_categorical(lanes, [1.0 / len(lanes)] * len(lanes)))

    def _async_pipeline(self, design):
        if not self.levels["R"] or not self.stages:
            return [design]
        tile = design.tiles[self.levels["R"][0]]
        body = design.sch.get(tile[-1]).body
        if not isinstance(body, SeqStmt) or len(body.seq) != 3 or not all(isinstance(one, For) for one in body.seq):
            return [design]
        return [design] + [self._piped(design.copy(), tile, stage) for stage in self.stages]

    @staticmethod
    def _piped(design, tile, stage):
        loop = design.sch.fuse(*tile)
        design.sch.annotate(loop, "software_pipeline_stage", [0, 0, stage - 2])
        design.sch.annotate(loop, "software_pipeline_order", [0, 1, 2])
        design.sch.annotate(loop, "software_pipeline_async_stages", [0])
        return design


class WideTiling(Tiling):
    """The innermost loop, where it indexes the last dimension of what is written, is split by the length of the vectors."""

    def __init__(self, rule, target):
        super().__init__(rule, target)
        self.bits = rule.vector_length_in_bits

    def _split_wide(self, sch, block, loop, n):
        extent, lanes = extent_of(sch.get(loop)), self.bits // _bits_of(sch.get(block).writes[0].buffer.dtype)
        if extent is not None and extent > lanes:
            outer, inner = sch.split(loop, [None, lanes], preserve_unit_iters=True)
            return [*sch.split(outer, sch.sample_perfect_tile(outer, n - 1, self.innermost), preserve_unit_iters=True), inner]
        ones = [1] * (n - 1)
        return sch.split(loop, [*ones, None], preserve_unit_iters=True)

    def _tile(self, design):
        self._design = design
        self._last = _last_written(design.sch, design.block)
        return super()._tile(design)

    def _split(self, sch, loop, n):
        if self._last is not None and sch.get(loop).loop_var.same_as(self._last):
            return self._split_wide(sch, self._design.block, loop, n)
        return super()._split(sch, loop, n)


def _bits_of(dtype):
    from ..runtime import DataType

    return DataType(str(dtype)).bits


def _last_written(sch, block):
    """The loop variable of the block's variable that indexes the last dimension of what it writes; None: there is none."""
    found = sch.get(block)
    region = found.writes[0].region
    if len(region) == 0:
        return None
    for var, loop in zip(found.iter_vars, sch.get_loops(block)):
        if var.var.same_as(region[-1].min):
            return sch.get(loop).loop_var
    return None


def tiled(rule, target, sch, block, cls=Tiling):
    """The designs of a rule at a block."""
    if rule.filter_fn is not None and rule.filter_fn(sch, sch.get_sref(block)) or needs_tiling(sch.get_sref(block)):
        sch.annotate(block, STRUCTURE, rule.structure)
        return cls(rule, target).designs(sch, block)
    return [sch]


def tiled_with_intrin(rule, target, sch, block):
    """The designs of a rule for a tensor intrinsic: what it does becomes a block of its own, and the block around it is tiled."""
    desc = TensorIntrin.get(rule.intrin_name).desc
    if get_tensorize_loop_mapping(sch, block, desc) is None or get_auto_tensorize_mapping_info(sch, block, desc) is None:
        return [sch]
    if not needs_tiling(sch.get_sref(block)):
        return [sch.copy()]
    made = sch.copy()
    made.annotate(block, STRUCTURE, rule.structure)
    loop = tile_with_tensor_intrin(made, block, rule.intrin_name)
    if loop is None:
        return [sch]
    outer = made.blockize(loop)
    made.annotate(outer, "meta_schedule.auto_tensorize", rule.intrin_name)
    return Tiling(rule, target).designs(made, outer)
