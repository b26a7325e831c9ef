"""Schedule and its handles.

Made by data/scripts/make-stubs.
"""
from typing import Any, Callable

from tvm.error import TVMError
from tvm.ir import IRModule
from tvm.tir import Buffer, IndexMap, PrimFunc, Var
from tvm.tir.schedule.trace import Trace

ExprRV = Var

class ScheduleError(TVMError): ...
class LoopRV: ...
class BlockRV: ...

class Schedule:
    def add_unit_loop(self, block_or_loop: BlockRV | LoopRV) -> LoopRV:
        """Puts a loop of one round around a loop or block

        Not around the root block.

        block_or_loop: what the loop is put around
        """
        ...
    def annotate(self, block_or_loop: BlockRV | LoopRV, ann_key: str, ann_val: Any) -> None:
        """Puts a note on a loop or block

        Always possible; a key that is there already keeps its value.

        block_or_loop: the loop or block
        ann_key: the key
        ann_val: the value: a number, a text, a list or a dictionary
        """
        ...
    def annotate_buffer_access(self, block: BlockRV | str, buffer_index: int | ExprRV, buf_type: str, gen_new_ranges: IndexMap | Callable[..., Any]) -> None:
        """Says which part of a buffer a block reads or writes

        buf_type is read or write, the block has a buffer with this number, and the function takes the block's variables and gives a range for each dimension.

        block: the block
        buffer_index: which of the buffers that it reads or writes, from 0
        buf_type: read or write
        gen_new_ranges: from the block's variables to an index or (begin, end) for each dimension
        """
        ...
    def bind(self, loop: LoopRV, thread_axis: str) -> None:
        """Runs the rounds of a loop on a GPU thread axis

        Every block below is complete or a reduction within the loop, and the loop reaches only spatial variables of them; bound to threadIdx it may also reach reduction variables.

        loop: the loop
        thread_axis: blockIdx.x/y/z, threadIdx.x/y/z, vthread.x/y/z
        """
        ...
    def blockize(self, target: list[BlockRV] | LoopRV, preserve_unit_iters: bool = True) -> BlockRV:
        """Makes the inside of a loop, or several blocks, one block

        Below the loop there is one block, and its bindings divide into a part over the loops above and a part over the loops from there down. Several blocks follow one another and share the outer part.

        target: the loop whose inside becomes a block, or the blocks to put into one
        preserve_unit_iters: keep iteration variables that take one value only
        """
        ...
    def cache_index(self, block: BlockRV | str, storage_scope: str, cse_thresh: int | ExprRV = 0) -> list[BlockRV]:
        """Computes indices before, into buffers

        The block has expressions over its own variables that come often enough.

        block: the block whose indices are computed before
        storage_scope: global, shared, local, ...
        cse_thresh: how often an expression has to come to be worth it
        """
        ...
    def cache_inplace(self, block: BlockRV | str, read_buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str) -> list[BlockRV]:
        """Lets a block that changes a buffer work on a copy of it

        The block both reads and writes the buffer, and every block of the scope that reads it finds all that it reads written before.

        block: the block that reads and writes the buffer
        read_buffer_index: which of the buffers that it reads, from 0, or its name
        storage_scope: global, shared, local, ...
        """
        ...
    def cache_read(self, block: BlockRV | str, read_buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str, consumer_blocks: list[BlockRV] | None = None) -> BlockRV:
        """Copies what blocks read into another memory first

        At most one block of the scope writes the buffer, and every block that reads it finds all that it reads written before.

        block: a block that reads the buffer
        read_buffer_index: which of the buffers that it reads, from 0, or its name
        storage_scope: global, shared, local, ...
        consumer_blocks: the blocks that read the copy; None: all that read the buffer
        """
        ...
    def cache_write(self, block: BlockRV | str, write_buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str, consumer_blocks: list[BlockRV] | None = None) -> BlockRV:
        """Writes into another memory and copies the result from there

        The block is the only one of its scope that writes the buffer.

        block: the block that writes the buffer
        write_buffer_index: which of the buffers that it writes, from 0, or its name
        storage_scope: global, shared, local, ...
        consumer_blocks: blocks that read the cache and not the buffer
        """
        ...
    def can_decompose_padding(self, block: Any, loop: Any) -> Any:
        """Would decompose_padding take the block and the loop?  The schedule stays as it is."""
        ...
    def compute_at(self, block: BlockRV | str, loop: LoopRV, preserve_unit_loops: bool = False, index: int | ExprRV = -1) -> None:
        """Moves a block under a loop of the blocks that read its result

        Every buffer of the scope is written before it is read. The block is complete or a reduction and writes no result of the function. The loop is in the same outer block and not around the block; all blocks that read its result stand under the loop, behind those that it reads from.

        block: the block that moves
        loop: the loop under which it goes
        preserve_unit_loops: keep new loops of extent 1
        index: its place among the statements of the loop: -1 the last that is possible, -2 the first
        """
        ...
    def compute_inline(self, block: BlockRV | str) -> None:
        """Computes a block's value where it is read, and drops the block

        The block is complete, has no init, stores one value into one temporary buffer, and its indices are its variables or a one-to-one affine map of them. The buffer is not used through its data pointer or a view, and the block is not the only one of its scope.

        block: the block whose computation goes into those that read its result
        """
        ...
    def copy(self) -> Any:
        """A branch with the same steps."""
        ...
    def decompose_padding(self, block: BlockRV | str, loop: LoopRV) -> BlockRV:
        """Fills with the padding first, then writes what is inside

        The block is complete and stores a value under a condition, else a number. Where the condition holds is a box of its variables. The loop stands around it.

        block: the block that pads
        loop: the loop before which everything is filled with the padding
        """
        ...
    def decompose_reduction(self, block: BlockRV | str, loop: LoopRV) -> BlockRV:
        """Makes the init of a reduction a block of its own

        The block is a reduction: it has an init, affine bindings, only spatial and reduction variables, is the only writer of its outputs, and no reduction variable indexes them. The loop stands around it and outside all loops that it adds up over.

        block: the reduction block
        loop: the loop before which the init block is put
        """
        ...
    def enter_postproc(self) -> None:
        """Marks that what follows finishes the program and is not searched

        Always possible.
        """
        ...
    def fork_seed(self) -> Any:
        """A seed for another schedule."""
        ...
    @property
    def func_working_on(self) -> Any:
        """The function that work_on named, or None."""
        ...
    def fuse(self, *loops: LoopRV, preserve_unit_iters: bool = True) -> LoopRV:
        """Fuses nested loops into one

        Each loop is the only thing in the one before it; all start at 0, have neither annotations nor thread bindings, and no extent depends on another of the loops.

        loops: the loops, outermost first, each the only thing in the one before
        preserve_unit_iters: keep loops of extent 1 in the bindings
        """
        ...
    def get(self, rand_var_or_sref: Any) -> Any:
        """The block, loop or number that a handle stands for."""
        ...
    def get_block(self, name: str, func_name: str | None = None) -> BlockRV:
        """The block of a name

        Exactly one block of the function has the name.

        name: the block's name
        func_name: the function; None: the one worked on
        """
        ...
    def get_child_blocks(self, block_or_loop: BlockRV | LoopRV) -> list[BlockRV]:
        """The blocks directly inside a block or loop

        Always possible.

        block_or_loop: what stands around
        """
        ...
    def get_child_sblocks(self, block_or_loop: Any) -> Any:
        """The blocks directly inside a block or loop

        Always possible.

        block_or_loop: what stands around
        """
        ...
    def get_consumers(self, block: BlockRV | str) -> list[BlockRV]:
        """The blocks that use the results of a block

        The block is not the root of its function.

        block: the block
        """
        ...
    def get_loops(self, block: BlockRV | str) -> list[LoopRV]:
        """The loops around a block, outermost first

        Always possible.

        block: the block
        """
        ...
    def get_output_blocks(self, scope_block: BlockRV | str) -> list[BlockRV]:
        """The blocks inside a block that write results of the function

        Always possible.

        scope_block: the block whose inside is looked at
        """
        ...
    def get_output_sblocks(self, scope_block: Any) -> Any:
        """The blocks inside a block that write results of the function

        Always possible.

        scope_block: the block whose inside is looked at
        """
        ...
    def get_producers(self, block: BlockRV | str) -> list[BlockRV]:
        """The blocks whose results a block uses

        The block is not the root of its function.

        block: the block
        """
        ...
    def get_sblock(self, name: Any, func_name: Any = None) -> Any:
        """The block of a name

        Exactly one block of the function has the name.

        name: the block's name
        func_name: the function; None: the one worked on
        """
        ...
    def get_sref(self, rand_var_or_stmt: Any) -> Any:
        """The place of a block or loop."""
        ...
    def loop_partition(self, loop: LoopRV, factors: list[int | ExprRV | None], preserve_unit_iters: bool = True) -> list[LoopRV]:
        """Cuts a loop into several loops over parts of its range

        The loop has neither annotations nor a thread binding, its range is known, and it holds one nest with a block that does not start adding up over it. Factors are at least 1, at most one is None, and they add up to less than the extent.

        loop: the loop
        factors: how long the parts are; one may be None: the rest
        preserve_unit_iters: kept for TVM's sake; it changes nothing
        """
        ...
    def merge(self, *loops: LoopRV) -> LoopRV:
        """Makes one loop nest of several that have the same shape

        The loops stand beside each other in one block, in nests of the same depth and extents. They start at 0, have neither annotations nor thread bindings, and each loop of a nest holds nothing but the next.

        loops: the innermost loops of the nests, in the order in which their bodies run
        """
        ...
    @property
    def mod(self) -> Any:
        """The module as it is now."""
        ...
    def pad_einsum(self, block: BlockRV | str, padding: list[int]) -> None:
        """Pads the iterations of a block to multiples of given numbers

        The block uses each buffer once, at points that its variables or numbers name. There is one number, at least 1, for each iteration variable. The scope is a stage pipeline.

        block: the block
        padding: for each iteration variable what its extent becomes a multiple of
        """
        ...
    def parallel(self, loop: LoopRV) -> None:
        """Runs the rounds of a loop on several cores

        Every block below is complete or a reduction within the loop, and the loop reaches only spatial variables of them.

        loop: the loop
        """
        ...
    def read_at(self, loop: LoopRV, block: BlockRV | str, read_buffer_index: int | ExprRV, storage_scope: str) -> BlockRV:
        """Copies what a loop's body reads first, as one block

        The scope is a stage pipeline, a block in the loop reads the buffer, and none writes it after the first that reads it.

        loop: the loop in whose body the copy goes
        block: a block that reads the buffer
        read_buffer_index: which of the buffers that it reads, from 0
        storage_scope: global, shared, local, ...
        """
        ...
    def reindex(self, block: BlockRV | str, buffer: int | str | tuple[str, int] | Buffer) -> BlockRV:
        """Gives a block a buffer that its own variables index

        The block has no blocks inside, all its accesses of the buffer have the same indices, its loops form a chain, and its scope is a stage pipeline.

        block: the block that gets its own buffer
        buffer: ("read", 0), ("write", 0) or the name of the buffer
        """
        ...
    def reindex_cache_read(self, block: BlockRV | str, read_buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str, index_map: IndexMap | Callable[..., Any]) -> BlockRV:
        """Copies what a block reads first, laid out by an index map

        The scope is a stage pipeline in which at most one block writes the buffer. The block reads single elements, and the map uses the same variables as the read.

        block: the block that reads the buffer
        read_buffer_index: which of the buffers that it reads, from 0, or its name
        storage_scope: global, shared, local, ...
        index_map: from the block's variables to the indices of the copy
        """
        ...
    def reindex_cache_write(self, block: BlockRV | str, write_buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str, index_map: IndexMap | Callable[..., Any]) -> BlockRV:
        """Writes into a copy laid out by an index map, and copies the result from there

        The scope is a stage pipeline in which the block is the only one that writes the buffer. It writes single elements, and the map uses the same variables as the write.

        block: the block that writes the buffer
        write_buffer_index: which of the buffers that it writes, from 0, or its name
        storage_scope: global, shared, local, ...
        index_map: from the block's variables to the indices of the copy
        """
        ...
    def remove_rv(self, rand_var: Any) -> Any:
        """Forgets a handle; the engine keeps it for the trace."""
        ...
    def reorder(self, *ordered_loops: LoopRV) -> None:
        """Changes the order of nested loops

        The loops are a chain inside one block with nothing else between them; every block below has spatial and reduction variables only, bound affinely; no loop's bounds depend on one that would come inside it.

        ordered_loops: the loops in their new order, outermost first
        """
        ...
    def reorder_block_iter_var(self, block: BlockRV | str, new_order: list[int]) -> None:
        """Puts the variables of a block in another order

        The order names each variable of the block once.

        block: the block whose variables are put in order
        new_order: for each place the old number of the variable that goes there
        """
        ...
    def reverse_compute_at(self, block: BlockRV | str, loop: LoopRV, preserve_unit_loops: bool = False, index: int | ExprRV = -1) -> None:
        """Moves a block under a loop of the blocks whose results it reads

        Every buffer of the scope is written before it is read. The block is complete or a reduction. The loop is in the same outer block and not around the block; all blocks whose results it reads stand under the loop, before those that read its own.

        block: the block that moves
        loop: the loop under which it goes
        preserve_unit_loops: keep new loops of extent 1
        index: its place among the statements of the loop: -1 the last that is possible, -2 the first
        """
        ...
    def reverse_compute_inline(self, block: BlockRV | str) -> None:
        """Computes a block's value where what it reads is made, and drops the block

        The block is complete and unguarded and stores one value, for which it reads one buffer of its scope at one place. One complete block makes that buffer, which is no result of the function and which no other block reads, and reaches all of what is read. The indices can be turned back into the variables.

        block: the block whose computation goes into the one that makes what it reads
        """
        ...
    def rfactor(self, loop: LoopRV, factor_axis: int | ExprRV) -> BlockRV:
        """Makes a reduction in parts along a loop, and puts the parts together

        Below the loop there is one block, a reduction with a known operation (+, *, min, max, argmax, argmin) that adds up over the loop. The loop is serial. No loop around the block is used by spatial and reduction variables together, and the block is the first in its outermost loop.

        loop: the reduction loop along which the parts are made
        factor_axis: where its dimension goes in the buffer of the parts; negative ones count from the end
        """
        ...
    def rolling_buffer(self, block: BlockRV | str, write_buffer_index: int | ExprRV) -> None:
        """Keeps what overlapping tiles share in a ring

        The block writes no result of the function, a loop stands around it and all its readers, and the tiles that it fills overlap along a loop.

        block: the block that writes the buffer
        write_buffer_index: which of the buffers that it writes, from 0
        """
        ...
    def sample_categorical(self, candidates: list[int], probs: list[float], decision: Any | None = None) -> ExprRV:
        """Chooses one of several numbers at random

        There is one probability for each candidate.

        candidates: the numbers to choose from
        probs: how likely each of them is
        """
        ...
    def sample_compute_location(self, block: BlockRV | str, decision: Any | None = None) -> LoopRV:
        """Draws where a block is computed: inlined, left, or under a loop of its readers

        The block is not the root block.

        block: the block whose place is drawn
        """
        ...
    def sample_partitioned_tile(self, loop: LoopRV, n: int | ExprRV, partition_pos: int | ExprRV = 0, innerpart_factor: int | ExprRV = 1, decision: Any | None = None) -> list[ExprRV]:
        """Draws factors of a loop of which the inner ones make a multiple of a number

        The loop runs at least once, and the second part begins at one of the loops. A decision has one factor for each loop.

        loop: the loop that will be split
        n: into how many loops
        partition_pos: how many of them, from outside, are the first part
        innerpart_factor: a number that divides the product of the second part
        """
        ...
    def sample_perfect_tile(self, loop: LoopRV, n: int | ExprRV, max_innermost_factor: int | ExprRV = 16, decision: Any | None = None) -> list[ExprRV]:
        """Draws factors at random whose product is the extent of a loop

        The loop runs at least once. A decision has one factor for each loop.

        loop: the loop that will be split
        n: into how many loops
        max_innermost_factor: the largest extent of the innermost one; -1: any
        """
        ...
    def seed(self, seed: Any) -> Any:
        """Where random decisions start."""
        ...
    def set_axis_separator(self, block: BlockRV | str, buffer: int | str | tuple[str, int] | Buffer, axis_separators: list[int] | None) -> None:
        """Groups the dimensions of a buffer for flattening

        The buffer is no view, and the separators are numbers of its dimensions that do not fall.

        block: a block that uses the buffer
        buffer: ("read", 0), ("write", 0) or the name of the buffer
        axis_separators: dimensions before which a new group begins
        """
        ...
    def set_scope(self, block: BlockRV | str, buffer_index: int | str | tuple[str, int] | Buffer, storage_scope: str) -> None:
        """Changes the memory in which a buffer lives

        The buffer is allocated by a block of the function; it is no parameter.

        block: the block that writes the buffer
        buffer_index: which of the buffers that it writes, from 0, or its name
        storage_scope: global, shared, local, ...
        """
        ...
    def show(self, style: Any = None, black_format: Any = None) -> Any:
        """Prints the module and the steps."""
        ...
    def split(self, loop: LoopRV, factors: list[int | ExprRV | None], preserve_unit_iters: bool = True, disable_predication: bool = False) -> list[LoopRV]:
        """Splits a loop into a nest of loops

        The loop starts at 0 and has neither annotations nor a thread binding. Factors are at least 1, at most one is None, and without None their product reaches the extent.

        loop: the loop to split
        factors: extents of the new loops, outermost first; one may be None
        preserve_unit_iters: keep loops of extent 1 in the bindings
        disable_predication: leave out the guard for factors that do not divide the extent
        """
        ...
    @property
    def state(self) -> Any:
        """What is known of the blocks."""
        ...
    def storage_align(self, block: BlockRV | str, buffer_index: int | str | tuple[str, int] | Buffer, axis: int | ExprRV, factor: int | ExprRV, offset: int | ExprRV) -> None:
        """Aligns the stride of one dimension of a temporary buffer

        The buffer is allocated by a block of the function and has that dimension; the factor is at least 1.

        block: the block that writes the buffer
        buffer_index: which of the buffers that it writes, from 0, or its name
        axis: the dimension; negative ones count from the end
        factor: what the stride is a multiple of, apart from the offset
        offset: what is added to the multiple
        """
        ...
    @property
    def strict(self) -> Any:
        """Are steps refused that change the order of reads and writes that depend on each other?  Else they are warned of; see loopscope.strict."""
        ...
    def tensorize(self, block_or_loop: BlockRV | LoopRV, tensor_intrin: str, preserve_unit_iters: bool = True) -> None:
        """Lets a tensor intrinsic do what a block does

        The intrinsic is registered. The block, or the block that the loop's inside becomes, does what the description of the intrinsic says: the same loops, bindings, regions, indices and values, up to names and positions in the buffers.

        block_or_loop: the block, or the loop whose inside becomes one
        tensor_intrin: the name of a registered intrinsic
        preserve_unit_iters: keep iteration variables that take one value only
        """
        ...
    @property
    def trace(self) -> Any:
        """The steps so far."""
        ...
    def transform_block_layout(self, block: BlockRV | str, index_map: IndexMap | Callable[..., Any]) -> None:
        """Lets a block run over other variables, by an index map

        The variables of the block are bound to the loops around it, in order; the loops start at 0 and hold nothing else. The map is one to one, and does not mix spatial with reduction variables.

        block: the block
        index_map: from its iteration variables to the new ones
        """
        ...
    def transform_layout(self, block: BlockRV | str, buffer: int | str | tuple[str, int] | Buffer, index_map: IndexMap | Callable[..., Any], pad_value: Any | None = None, *, assume_injective_transform: bool = False) -> None:
        """Lays a buffer out in another way, by an index map

        The map takes as many indices as the buffer has dimensions and is one to one. Where the new layout has elements that the old one has not, pad_value says what they hold. The buffer is no view.

        block: a block that uses the buffer
        buffer: ("read", 0), ("write", 0) or the name of the buffer
        index_map: from the indices of the buffer to the new ones
        pad_value: what elements hold that the new layout adds: a number or a function of the new indices
        assume_injective_transform: take it for granted that the map is one to one and adds nothing
        """
        ...
    def transform_sblock_layout(self, block: Any, index_map: Any) -> Any:
        """Lets a block run over other variables, by an index map

        The variables of the block are bound to the loops around it, in order; the loops start at 0 and hold nothing else. The map is one to one, and does not mix spatial with reduction variables.

        block: the block
        index_map: from its iteration variables to the new ones
        """
        ...
    def unannotate(self, block_or_loop: BlockRV | LoopRV, ann_key: str) -> None:
        """Takes a note off a loop or block

        The loop or block carries an annotation of this key.

        block_or_loop: the loop or block
        ann_key: the key
        """
        ...
    def unroll(self, loop: LoopRV) -> None:
        """Writes the rounds of a loop out one after the other

        Always possible.

        loop: the loop
        """
        ...
    def unsafe_hide_buffer_access(self, block: BlockRV | str, buf_type: str, buf_index_array: list[int]) -> None:
        """Leaves buffers out of what a block says that it reads or writes

        buf_type is read or write, and the block has buffers with these numbers.

        block: the block
        buf_type: read or write
        buf_index_array: the numbers of the buffers among those that it reads or writes
        """
        ...
    def unsafe_set_dtype(self, block: BlockRV | str, buffer_index: int | str | tuple[str, int] | Buffer, dtype: str) -> None:
        """Keeps a temporary buffer in another type

        The buffer is allocated by a block of the function; it is no parameter. The type exists.

        block: the block that writes the buffer
        buffer_index: which of the buffers that it writes, from 0, or its name
        dtype: the type of the elements: float16, int8, ...
        """
        ...
    def vectorize(self, loop: LoopRV) -> None:
        """Runs the rounds of a loop as one vector operation

        Every block below is complete or a reduction within the loop, and the loop reaches only spatial variables of them.

        loop: the loop
        """
        ...
    def work_on(self, func_name: Any) -> Any:
        """Looks for blocks in this function from here on."""
        ...
    def write_at(self, loop: LoopRV, block: BlockRV | str, write_buffer_index: int | ExprRV, storage_scope: str) -> BlockRV:
        """Collects what a loop's body writes and copies it out as one block

        The scope is a stage pipeline, a block in the loop writes the buffer, and none reads it after the last that writes it.

        loop: the loop in whose body the copy goes
        block: a block that writes the buffer
        write_buffer_index: which of the buffers that it writes, from 0
        storage_scope: global, shared, local, ...
        """
        ...
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
        ...
