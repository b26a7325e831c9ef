/* block: a block that was not lowered, run as the interpreter runs it.
 *
 * Iteration variables get their bindings, the predicate guards, buffers of the block are allocated whole, matched buffers
 * take their place from their source, and the initialisation runs when every reduction variable is at its first value.
 */
#include "engine/codegen/codegen-private.h"

typedef struct {
  LsVar       *var;
  LLVMValueRef old;
} Saved;

static void
save (LsCg        *cg,
      GArray      *saved,
      LsVar       *var,
      LLVMValueRef value)
{
  Saved entry = { var, ls_cg_bind (cg, var, value) };

  g_array_append_val (saved, entry);
}

static void
save_wide (LsCg        *cg,
           GArray      *saved,
           LsVar       *var,
           LLVMValueRef value)
{
  Saved entry = { var, ls_cg_bind_wide (cg, var, value) };

  g_array_append_val (saved, entry);
}

static void
restore (LsCg   *cg,
         GArray *saved)
{
  for (guint i = saved->len; i-- > 0;)
    ls_cg_unbind (cg, g_array_index (saved, Saved, i).var, g_array_index (saved, Saved, i).old);
}

/* Binds the variables; the result says whether this is the first step of the reduction (NULL: always). */
static LLVMValueRef
bind_iters (LsCg           *cg,
            LsBlockRealize *realize,
            GArray         *saved)
{
  LsBlock *block = realize->block;
  g_autofree LLVMValueRef *values = g_new0 (LLVMValueRef, block->iter_vars->n + 1);
  LLVMValueRef first = NULL;

  for (guint i = 0; i < block->iter_vars->n; i++)
    values[i] = ls_cg_index (cg, ls_array_at (realize->iter_values, i, LsExpr));
  for (guint i = 0; i < block->iter_vars->n && cg->error == NULL; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      LLVMValueRef min = ls_cg_index (cg, iter->dom->min);

      if (cg->options->check_bounds)
        ls_cg_check_binding (cg, block->name_hint, iter->var->name, values[i], min, ls_cg_index (cg, iter->dom->extent));
      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        {
          LLVMValueRef at_min = LLVMBuildICmp (cg->builder, LLVMIntEQ, values[i], min, "");

          first = first == NULL ? at_min : LLVMBuildAnd (cg->builder, first, at_min, "");
        }
      save_wide (cg, saved, iter->var, values[i]);
    }
  return first;
}

/* ---- buffers ------------------------------------------------------------------ */

/* Elements from the data pointer to the end of the buffer. */
static LLVMValueRef
buffer_size (LsCg     *cg,
             LsBuffer *buffer,
             gint64   *constant)
{
  LLVMValueRef n = ls_cg_i64 (cg, 1);
  gint64 known = 1;

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      LLVMValueRef extent = ls_cg_index (cg, ls_array_at (buffer->shape, i, LsExpr));

      if (!ls_buffer_has_strides (buffer))
        n = LLVMBuildMul (cg->builder, n, extent, "");
      else
        n = LLVMBuildAdd (cg->builder, n, LLVMBuildMul (cg->builder, LLVMBuildSub (cg->builder, extent, ls_cg_i64 (cg, 1), ""),
                                                        ls_cg_buffer_stride (cg, buffer, i), ""), "");
    }
  n = LLVMBuildAdd (cg->builder, n, ls_cg_buffer_offset (cg, buffer), "");
  known = LLVMIsAConstantInt (n) != NULL ? LLVMConstIntGetSExtValue (n) : -1;
  *constant = known;
  return n;
}

void
ls_cg_view_free (gpointer view)
{
  g_free (((LsCgView *) view)->strides);
  g_free (view);
}

static void
bind_or_view (LsCg        *cg,
              GArray      *saved,
              LsExpr      *wanted,
              LLVMValueRef value)
{
  LLVMTypeRef type;

  if (!ls_is_var (wanted))
    return;
  type = ls_cg_type (cg, ls_dtype (wanted));
  save (cg, saved, (LsVar *) wanted, type == cg->i64 ? value : LLVMBuildTrunc (cg->builder, value, type, ""));
}

static void
match_buffer (LsCg                *cg,
              LsMatchBufferRegion *match,
              GArray              *saved)
{
  LsBuffer *source = match->source->buffer;
  LsBuffer *target = match->buffer;
  LsArray *region = match->source->region;
  guint skipped = source->shape->n - MIN (target->shape->n, source->shape->n);
  LsCgView *view = g_new0 (LsCgView, 1);

  view->offset = ls_cg_buffer_offset (cg, source);
  view->n = target->shape->n;
  view->strides = g_new0 (LLVMValueRef, view->n + 1);
  for (guint i = 0; i < region->n && i < source->shape->n; i++)
    {
      LLVMValueRef min = ls_cg_index (cg, ls_array_at (region, i, LsRange)->min);

      view->offset = LLVMBuildAdd (cg->builder, view->offset, LLVMBuildMul (cg->builder, min, ls_cg_buffer_stride (cg, source, i), ""), "");
    }
  for (guint i = 0; i < view->n; i++)
    view->strides[i] = i + skipped < source->shape->n ? ls_cg_buffer_stride (cg, source, i + skipped) : ls_cg_i64 (cg, 1);
  save (cg, saved, target->data, ls_cg_data (cg, source));
  bind_or_view (cg, saved, target->elem_offset, view->offset);
  for (guint i = 0; i < target->strides->n && i < view->n; i++)
    bind_or_view (cg, saved, ls_array_at (target->strides, i, LsExpr), view->strides[i]);
  g_hash_table_insert (cg->views, target, view);
  g_hash_table_insert (cg->scopes, target->data, g_hash_table_lookup (cg->scopes, source->data));
}

static guint
allocate_buffers (LsCg    *cg,
                  LsBlock *block,
                  GArray  *saved)
{
  guint n_heap = 0;

  for (guint i = 0; i < block->alloc_buffers->n && cg->error == NULL; i++)
    {
      LsBuffer *buffer = ls_array_at (block->alloc_buffers, i, LsBuffer);
      gboolean heap = FALSE;
      gint64 constant;
      LLVMValueRef n = buffer_size (cg, buffer, &constant);
      LLVMValueRef memory = ls_cg_memory_new (cg, buffer->name, buffer->dtype, constant, n, ls_buffer_scope (buffer), &heap);

      n_heap += heap ? 1 : 0;
      save (cg, saved, buffer->data, memory);
    }
  return n_heap;
}

/* ---- the block ------------------------------------------------------------------- */

static void
initialise (LsCg        *cg,
            LsBlock     *block,
            LLVMValueRef first)
{
  LLVMBasicBlockRef init, after;

  if (block->init == NULL)
    return;
  if (first == NULL)
    {
      ls_cg_stmt (cg, block->init);
      return;
    }
  init = ls_cg_block (cg, "init");
  after = ls_cg_block (cg, "update");
  LLVMBuildCondBr (cg->builder, first, init, after);
  ls_cg_at (cg, init);
  ls_cg_stmt (cg, block->init);
  LLVMBuildBr (cg->builder, after);
  ls_cg_at (cg, after);
}

static void
run_block (LsCg           *cg,
           LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  g_autoptr (GArray) saved = g_array_new (FALSE, FALSE, sizeof (Saved));
  LLVMValueRef first = bind_iters (cg, realize, saved);
  guint n_heap = allocate_buffers (cg, block, saved);

  for (guint i = 0; i < block->match_buffers->n && cg->error == NULL; i++)
    match_buffer (cg, ls_array_at (block->match_buffers, i, LsMatchBufferRegion), saved);
  ls_cg_import_of (cg, block->annotations);
  if (cg->error == NULL)
    initialise (cg, block, first);
  ls_cg_stmt (cg, block->body);
  for (guint i = 0; i < n_heap; i++)
    ls_cg_memory_drop (cg);
  restore (cg, saved);
}

void
ls_cg_block_realize (LsCg           *cg,
                     LsBlockRealize *realize)
{
  LLVMBasicBlockRef inside, after;

  if (realize->iter_values->n != realize->block->iter_vars->n)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "Block %s has %u iteration variables and %u values.",
                  realize->block->name_hint, realize->block->iter_vars->n, realize->iter_values->n);
      return;
    }
  if (ls_is_one (realize->predicate))
    {
      run_block (cg, realize);
      return;
    }
  inside = ls_cg_block (cg, "block");
  after = ls_cg_block (cg, "end");
  LLVMBuildCondBr (cg->builder, ls_cg_truth (cg, realize->predicate), inside, after);
  ls_cg_at (cg, inside);
  run_block (cg, realize);
  LLVMBuildBr (cg->builder, after);
  ls_cg_at (cg, after);
}
