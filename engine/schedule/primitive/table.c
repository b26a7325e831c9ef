/* table: everything that can be done to a schedule.
 *
 * Each primitive defines its row (ls_instruction_<name>) in its own file; the order here is the order of menus and of
 * the documentation.  This file stands above the primitives and nobody stands on it: it hands the rows over when the
 * program starts, so that who looks for one (step/instruction.c) depends on none.  The build asks the linker for
 * `ls_instruction_rows`, which nobody else would.
 */
#include "engine/schedule/step/instruction.h"

#define LS_INSTRUCTIONS(X) \
  X (get_block) X (get_loops) X (get_child_blocks) X (get_producers) X (get_consumers) X (get_output_blocks) \
  X (sample_categorical) X (sample_perfect_tile) X (sample_partitioned_tile) X (sample_compute_location) \
  X (split) X (loop_partition) X (fuse) X (merge) X (reorder) X (reorder_block_iter_var) X (add_unit_loop) \
  X (parallel) X (vectorize) X (unroll) X (bind) \
  X (compute_at) X (reverse_compute_at) X (compute_inline) X (reverse_compute_inline) \
  X (cache_read) X (cache_write) X (reindex_cache_read) X (reindex_cache_write) X (cache_inplace) X (cache_index) \
  X (reindex) X (read_at) X (write_at) \
  X (blockize) X (tensorize) X (storage_align) X (transform_layout) X (transform_block_layout) X (pad_einsum) \
  X (decompose_reduction) X (rfactor) X (decompose_padding) X (rolling_buffer) \
  X (set_axis_separator) X (annotate_buffer_access) X (unsafe_hide_buffer_access) X (unsafe_set_dtype) \
  X (annotate) X (unannotate) X (set_scope) \
  X (enter_postproc)

#define X(name) extern const LsInstruction ls_instruction_##name;
LS_INSTRUCTIONS (X)
#undef X

extern const LsInstruction *const ls_instruction_rows[];

const LsInstruction *const ls_instruction_rows[] = {
#define X(name) &ls_instruction_##name,
  LS_INSTRUCTIONS (X)
#undef X
};

__attribute__ ((constructor))
static void
hand_over (void)
{
  ls_instructions_register (ls_instruction_rows, G_N_ELEMENTS (ls_instruction_rows));
}
