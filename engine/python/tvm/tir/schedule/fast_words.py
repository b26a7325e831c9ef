"""What TVM says in one line (error_render_level="fast") where a primitive refuses a step: programs look for these words.

By the code of the finding, or by the primitive and the code."""
import re

_SCOPE = "Expected the block and loop to be under the same block scope, and loop not to be the ancestor of block"
_BODY = "The block cannot be inlined because its body pattern does not meet the condition for inlining"
_ALLOCATED = "The input buffer is not allocated by a block. This means the buffer is  either a function parameter or defined in `match_buffer` of a block."
_PRODUCER = ("The consumer block to be inlined is required to have only a single producer block, and the producer block should be a complete block "
             "who has only a single consumer")
_THREAD = "The primitive can't be applied because the loop has annotation or thread binding"


def _buffer_index(kind, did):
    return (f"The input `buffer_index` is out of range. It is required to be in range [0, num_{kind}_regions) where `num_{kind}_regions` is the number of buffer "
            f"regions {did} by the block.")


_WORDS = {
    "already-under-loop": _SCOPE,
    "annotated": _THREAD,
    "has-init": "The block has init statement",
    "no-init": "Not a reduction block",
    "not-a-stage-pipeline": "The scope root is not a stage pipeline",
    "not-affine": "The block is required to have an affine binding",
    "not-all-under-loop": "Not all required blocks are under the loop scope",
    "not-allocated": _ALLOCATED,
    "only-block": "Cannot remove the only leaf in the scope",
    "output-block": "Cannot operate on an output block",
    "reduction-without-init": "Not a complete or reduction block",
    "thread-bound": _THREAD,
    "blockize/not-divisible": "The bindings of the inner block can not be blockized.",
    "cache_read/buffer-index": _buffer_index("read", "read"),
    "cache_read/several-writers": "The buffer is allowed to be written by single block.",
    "cache_write/buffer-index": _buffer_index("write", "written"),
    "compute_at/other-scope": _SCOPE,
    "compute_inline/load-indices": _BODY,
    "compute_inline/one-write": "The block is allowed to write only a single buffer region",
    "compute_inline/opaque-access": "The buffer to be inlined has opaque access (e.g. `B.data`), or its subregion is matched into other blocks",
    "compute_inline/store-indices": _BODY,
    "decompose_reduction/loop-too-low": "decompose_reduction expect the loop to be higher than all the loops related to reduce block var",
    "fuse/dependent-extent": "A loop's `extent` is dependent on another loop",
    "fuse/not-from-zero": "The primitive only supports loop starting with 0",
    "fuse/not-nested": "The outer loop is not the parent of the inner loop",
    "fuse/not-only-child": "The inner loop is not the only child of outer loop",
    "loop_partition/too-long": "The sum of factors is larger than or equal to the extent of loop",
    "loop_partition/two-open-factors": "only one factor can be specified as -1 or none",
    "merge/different-depth": "Merge loop's nesting depth must be same, but not.",
    "merge/nested": "Merge loop's nesting depth must be same, but not.",
    "pad_einsum/not-an-einsum": "The block is not a computation of Einsum pattern.",
    "reindex/several-indices": ("The target buffer should be accessed via BufferLoad or BufferStore. The indices should be the same if there are multiple accesses "
                                "to the target buffer."),
    "reorder/dependent-bounds": "An outer loop's `min` or `extent` is dependent on an inner loop in the new order",
    "reorder/iter-type": "The block under the loops to be reordered have block iter type other than data-parallel or reduction",
    "reorder/not-a-chain": "the loops are not in a chain",
    "reorder/twice": "Some loop appears in the input array for multiple times.",
    "reverse_compute_at/other-scope": _SCOPE,
    "reverse_compute_inline/load-indices": _BODY,
    "reverse_compute_inline/one-read": "The block is allowed to read only a single buffer region",
    "reverse_compute_inline/one-write": "The block is allowed to write only a single buffer region",
    "reverse_compute_inline/producer-is-output": "Cannot operate on an output block",
    "reverse_compute_inline/producer-not-complete": _PRODUCER,
    "reverse_compute_inline/store-indices": _BODY,
    "rfactor/reducer": ("No matched reducer for the identity and the combiner of this reduction block. So rfactor and cross-thread reduction cannot be "
                        "applied."),
    "rfactor/spatial-loop": "The loop to be applied rfactor is required not to be touched by any data parallel block iter of the block",
    "rolling_buffer/buffer-index": _buffer_index("write", "written"),
    "set_scope/buffer-index": _buffer_index("write", "written"),
    "split/factors-too-small": "The product of factors is not larger than or equal to the extent of loop",
    "split/not-from-zero": "The primitive only supports loop starting with 0",
    "split/several-open-factors": "only one factor can be specified as -1 or none",
    "storage_align/axis": ("The input `axis` is out of range. It is required to be in range [-ndim, ndim) where `ndim` is the number of dimensions of the buffer to set "
                           "storage alignment."),
    "storage_align/factor": "The input `factor` of storage_align is expected to be a positive number.",
    "storage_align/buffer-index": _buffer_index("write", "written"),
    "transform_block_layout/bindings": "The binding values of the block are not variables of outer loops.",
    "transform_block_layout/not-one-block": "The loop is required to have only one child block",
    **{f"{kind}/reduction-loop": f'The "{kind}" cannot be fulfilled with regard to some of its underlying block' for kind in ("bind", "parallel", "vectorize")},
}


def fast_words(message):
    """TVM's line for what a refusal finds ("error[schedule/PRIMITIVE/CODE]: ..."); None: nobody knows it.  Of several findings it says the
    first; where the loop stands it looks at before it asks whether the block writes a result."""
    found = re.findall(r"^error\[schedule/(\w+)/([\w-]+)\]: (.*)", message, re.MULTILINE)
    if found and found[0][1] == "output-block":
        found.sort(key=lambda one: one[1] not in ("already-under-loop", "other-scope"))
    for primitive, code, text in found[:1]:
        if (primitive, code) == ("transform_layout", "padding") and "where " in text:
            return "ScheduleError: Transformation would introduce padding at " + text.split("where ", 1)[1]
        words = _WORDS.get(f"{primitive}/{code}") or _WORDS.get(code)
        return words and "ScheduleError: " + words
    return None
