/* condition: conditions that several primitives share.
 *
 * A complete block:   1 all iteration variables are spatial
 *                     2 it is dominant: the only writer of its outputs in the scope
 *                     3 it reads no buffer that it writes
 * A reduction block:  1 it has an init
 *                     2 its bindings are affine
 *                     3 its iteration variables are spatial or reduction
 *                     4 it is dominant
 *                     5 no reduction variable indexes an output
 * The numbers are the codes of ls_complete_block_code and ls_reduction_block_code.  With a loop as the scope the
 * same conditions are meant for the subtree alone ("local").
 * Source of the definitions: TVM's schedule analysis.
 */
#include "engine/schedule/legal/legal.h"

#include "engine/script/printer.h"

/* ---- properties ----------------------------------------------------------- */

/* Blocks counted as writers of `buffer` under a scope.  Under a loop TVM counts what the scopes of the blocks below
 * it know, that is writers one level further in; the same is done here, so that verdicts agree. */
static guint
n_writes (LsScope  *scope,
          LsBuffer *buffer)
{
  GPtrArray *writers = ls_scope_writers (scope, buffer);

  return writers != NULL ? writers->len : 0;
}

static guint
n_writers (LsState  *state,
           LsSref   *scope_root,
           LsBuffer *buffer)
{
  g_autoptr(GPtrArray) blocks = NULL;
  guint n = 0;

  if (scope_root->is_block)
    return n_writes (ls_state_scope (state, scope_root), buffer);
  blocks = ls_state_child_blocks (state, scope_root);
  for (guint i = 0; n == 0 && i < blocks->len; i++)
    n = n_writes (ls_state_scope (state, blocks->pdata[i]), buffer);
  return n;
}

gboolean
ls_is_dominant_block (LsState *state,
                      LsSref  *block,
                      LsSref  *scope_root)
{
  LsArray *writes = ls_sref_block (block)->writes;

  for (guint i = 0; i < ls_array_n (writes); i++)
    if (n_writers (state, scope_root, ls_array_at (writes, i, LsBufferRegion)->buffer) > 1)
      return FALSE;
  return TRUE;
}

static gboolean
has_region_of (LsArray  *regions,
               LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

static LsBuffer *
read_and_written (LsBlock *block)
{
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    {
      LsBuffer *buffer = ls_array_at (block->reads, i, LsBufferRegion)->buffer;

      if (has_region_of (block->writes, buffer))
        return buffer;
    }
  return NULL;
}

/* The first iteration variable that is neither `a` nor `b`, or NULL. */
static LsIterVar *
iter_var_other_than (LsBlock    *block,
                     LsIterType  a,
                     LsIterType  b)
{
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type != (int) a && iter->iter_type != (int) b)
        return iter;
    }
  return NULL;
}

guint
ls_complete_block_code (LsState *state,
                        LsSref  *block,
                        LsSref  *scope_root)
{
  if (iter_var_other_than (ls_sref_block (block), LS_ITER_DATA_PAR, LS_ITER_DATA_PAR) != NULL)
    return 1;
  if (!ls_is_dominant_block (state, block, scope_root))
    return 2;
  return read_and_written (ls_sref_block (block)) != NULL ? 3 : 0;
}

typedef struct {
  LsBlock *block;
  LsVar   *culprit;
} IndexSearch;

static gboolean
is_reduction_var (LsVar    *var,
                  gpointer  user_data)
{
  IndexSearch *search = user_data;

  for (guint i = 0; i < ls_array_n (search->block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (search->block->iter_vars, i, LsIterVar);

      if (iter->var == var && iter->iter_type == LS_ITER_COMM_REDUCE)
        {
          search->culprit = var;
          return TRUE;
        }
    }
  return FALSE;
}

static LsWalk
look_at_store (LsNode   *node,
               gpointer  user_data)
{
  IndexSearch *search = user_data;
  LsBufferStore *store = (LsBufferStore *) node;

  if (!ls_is (node, BUFFER_STORE))
    return LS_WALK_CONTINUE;
  if (ls_uses_var (store->indices, is_reduction_var, search))
    return LS_WALK_STOP;
  return LS_WALK_PRUNE;
}

/* A reduction variable that indexes what the block writes, or NULL. */
static LsVar *
reduction_var_in_output (LsBlock *block)
{
  IndexSearch search = { block, NULL };

  ls_walk (block->body, look_at_store, NULL, &search);
  return search.culprit;
}

guint
ls_reduction_block_code (LsState *state,
                         LsSref  *block,
                         LsSref  *scope_root)
{
  if (ls_sref_block (block)->init == NULL)
    return 1;
  if (!block->affine_binding)
    return 2;
  if (iter_var_other_than (ls_sref_block (block), LS_ITER_DATA_PAR, LS_ITER_COMM_REDUCE) != NULL)
    return 3;
  if (!ls_is_dominant_block (state, block, scope_root))
    return 4;
  return reduction_var_in_output (ls_sref_block (block)) != NULL ? 5 : 0;
}

gboolean
ls_is_output_block (LsState *state,
                    LsSref  *block,
                    LsSref  *scope_root)
{
  LsArray *writes = ls_sref_block (block)->writes;
  LsArray *own = ls_sref_block (scope_root)->alloc_buffers;

  for (guint i = 0; i < ls_array_n (writes); i++)
    if (ls_array_index_of (own, ls_array_at (writes, i, LsBufferRegion)->buffer) < 0)
      return TRUE;
  return FALSE;
}

/* ---- sentences ------------------------------------------------------------ */

static const char *
iter_type_name (int type)
{
  switch (type)
    {
    case LS_ITER_DATA_PAR:    return ls_translate ("a spatial");
    case LS_ITER_COMM_REDUCE: return ls_translate ("a reduction");
    case LS_ITER_ORDERED:     return ls_translate ("a scan");
    case LS_ITER_OPAQUE:      return ls_translate ("an opaque");
    default:                  return ls_translate ("a special");
    }
}

/* A buffer that `block` and another block of the scope write, or NULL. */
static LsBuffer *
shared_output (LsState *state,
               LsSref  *block,
               LsSref  *scope_root)
{
  LsArray *writes = ls_sref_block (block)->writes;

  for (guint i = 0; i < ls_array_n (writes); i++)
    {
      LsBuffer *buffer = ls_array_at (writes, i, LsBufferRegion)->buffer;

      if (n_writers (state, scope_root, buffer) > 1)
        return buffer;
    }
  return NULL;
}

static void
refuse_dominance (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *block,
                  LsSref        *scope_root)
{
  LsBuffer *buffer = shared_output (move->state, block, scope_root);

  ls_move_refuse (move, diagnostics, "not-dominant", block->stmt,
                  "%s is written by other blocks too; %s has to be its only writer, as a complete block or a reduction block is.",
                  buffer != NULL ? buffer->name : "The output", ls_sref_name (block));
}

static void
refuse_complete (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *sref,
                 LsSref        *scope_root,
                 guint          code)
{
  LsBlock *block = ls_sref_block (sref);
  LsIterVar *iter = iter_var_other_than (block, LS_ITER_DATA_PAR, LS_ITER_DATA_PAR);

  if (code == 1)
    ls_move_refuse (move, diagnostics, "not-spatial", block,
                    "%s of block %s is %s variable; all those of a complete block are spatial.",
                    iter->var->name, block->name_hint, iter_type_name (iter->iter_type));
  else if (code == 2)
    refuse_dominance (move, diagnostics, sref, scope_root);
  else if (code == 3)
    ls_move_refuse (move, diagnostics, "reads-own-output", block,
                    "Block %s reads %s, which it also writes; a complete block does not.", block->name_hint, read_and_written (block)->name);
}

static void
refuse_reduction (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *sref,
                  LsSref        *scope_root,
                  guint          code)
{
  LsBlock *block = ls_sref_block (sref);
  LsIterVar *iter;

  switch (code)
    {
    case 1:
      ls_move_refuse (move, diagnostics, "no-init", block,
                      "Block %s has no init; a reduction block needs one.", block->name_hint);
      break;
    case 2:
      ls_legal_affine (move, diagnostics, sref);
      break;
    case 3:
      iter = iter_var_other_than (block, LS_ITER_DATA_PAR, LS_ITER_COMM_REDUCE);
      ls_move_refuse (move, diagnostics, "iter-type", block,
                      "%s of block %s is %s variable; those of a reduction block are spatial or reduction ones.",
                      iter->var->name, block->name_hint, iter_type_name (iter->iter_type));
      break;
    case 4:
      refuse_dominance (move, diagnostics, sref, scope_root);
      break;
    case 5:
      ls_move_refuse (move, diagnostics, "reduction-indexes-output", block,
                      "Reduction variable %s indexes what block %s writes; that of a reduction block does not.",
                      reduction_var_in_output (block)->name, block->name_hint);
      break;
    default:
      break;
    }
}

/* ---- conditions ----------------------------------------------------------- */

gboolean
ls_legal_not_root (LsMove        *move,
                   LsDiagnostics *diagnostics,
                   LsSref        *block)
{
  if (ls_state_scope_root (move->state, block) != NULL)
    return TRUE;
  if (block->is_block && block->parent == NULL)
    ls_move_refuse (move, diagnostics, "root-block", block->stmt,
                    "Block %s is the root of its function; %s needs a block inside it.",
                    ls_sref_name (block), move->instruction->name);
  else
    ls_move_refuse (move, diagnostics, "no-root-block", block->stmt,
                    "%s %s stands in a function without a root block; %s needs one around it.",
                    ls_translate (block->is_block ? "Block" : "Loop"), ls_sref_name (block), move->instruction->name);
  return FALSE;
}

gboolean
ls_legal_scope (LsMove         *move,
                LsDiagnostics  *diagnostics,
                LsSref         *sref,
                gboolean        require_stage_pipeline,
                LsSref        **scope_root)
{
  LsSref *root = ls_state_scope_root (move->state, sref);

  *scope_root = root;
  if (root == NULL)
    return ls_legal_not_root (move, diagnostics, sref);
  if (!require_stage_pipeline || root->stage_pipeline)
    return TRUE;
  ls_move_refuse (move, diagnostics, "not-a-stage-pipeline", root->stmt,
                  "In block %s a buffer is overwritten after it was read, or read before all of it was written.",
                  ls_sref_name (root));
  return FALSE;
}

gboolean
ls_legal_affine (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block)
{
  if (block->affine_binding)
    return TRUE;
  ls_move_refuse (move, diagnostics, "not-affine", block->stmt,
                  "The bindings of block %s are no affine map of the loops around it.", ls_sref_name (block));
  return FALSE;
}

gboolean
ls_legal_complete_block (LsMove        *move,
                         LsDiagnostics *diagnostics,
                         LsSref        *block,
                         LsSref        *scope_root)
{
  guint code = ls_complete_block_code (move->state, block, scope_root);

  if (code != 0)
    refuse_complete (move, diagnostics, block, scope_root, code);
  return code == 0;
}

gboolean
ls_legal_reduction_block (LsMove        *move,
                          LsDiagnostics *diagnostics,
                          LsSref        *block,
                          LsSref        *scope_root)
{
  guint code = ls_reduction_block_code (move->state, block, scope_root);

  if (code != 0)
    refuse_reduction (move, diagnostics, block, scope_root, code);
  return code == 0;
}

/* Of a block that is neither, the reason that fits what it looks like: a reduction when it has an init or such a variable. */
static void
refuse_both (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block,
             LsSref        *scope_root,
             guint          complete,
             guint          reduction)
{
  LsIterVar *iter = complete == 1 ? iter_var_other_than (ls_sref_block (block), LS_ITER_DATA_PAR, LS_ITER_DATA_PAR) : NULL;

  if (reduction > 1)
    refuse_reduction (move, diagnostics, block, scope_root, reduction);
  else if (iter != NULL && iter->iter_type == LS_ITER_COMM_REDUCE)
    ls_move_refuse (move, diagnostics, "reduction-without-init", block->stmt,
                    "Block %s adds up over %s but has no init of its own.", ls_sref_name (block), iter->var->name);
  else if (iter != NULL)
    ls_move_refuse (move, diagnostics, "iter-type", block->stmt,
                    "%s of block %s is %s variable; the block is neither complete nor a reduction.",
                    iter->var->name, ls_sref_name (block), iter_type_name (iter->iter_type));
  else
    refuse_complete (move, diagnostics, block, scope_root, complete);
}

gboolean
ls_legal_complete_or_reduction (LsMove        *move,
                                LsDiagnostics *diagnostics,
                                LsSref        *block,
                                LsSref        *scope_root)
{
  guint complete = ls_complete_block_code (move->state, block, scope_root);
  guint reduction;

  if (complete == 0)
    return TRUE;
  reduction = ls_reduction_block_code (move->state, block, scope_root);
  if (reduction == 0)
    return TRUE;
  refuse_both (move, diagnostics, block, scope_root, complete, reduction);
  return FALSE;
}

gboolean
ls_legal_compact_dataflow (LsMove        *move,
                           LsDiagnostics *diagnostics,
                           LsSref        *subtree)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, subtree);
  gboolean legal = TRUE;

  for (guint i = 0; i < blocks->len; i++)
    legal &= ls_legal_complete_or_reduction (move, diagnostics, blocks->pdata[i], subtree);
  return legal;
}

gboolean
ls_legal_not_output (LsMove        *move,
                     LsDiagnostics *diagnostics,
                     LsSref        *block,
                     LsSref        *scope_root)
{
  if (!ls_is_output_block (move->state, block, scope_root))
    return TRUE;
  ls_move_refuse (move, diagnostics, "output-block", block->stmt,
                  "Block %s is an output block: it writes a result of the function; only blocks that fill a temporary buffer can be moved.",
                  ls_sref_name (block));
  return FALSE;
}

gboolean
ls_legal_plain_loop (LsMove        *move,
                     LsDiagnostics *diagnostics,
                     LsSref        *sref)
{
  LsFor *loop = ls_sref_for (sref);
  LsDiagnostic *finding;

  if (loop->thread_binding != NULL)
    {
      ls_move_refuse (move, diagnostics, "thread-bound", loop, "Loop %s is bound to %s; %s needs a free loop.",
                      loop->loop_var->name, loop->thread_binding->thread_tag, move->instruction->name);
      return FALSE;
    }
  if (loop->annotations->n == 0)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "annotated", loop, "Loop %s carries the annotation \"%s\"; %s needs a bare loop.",
                            loop->loop_var->name, loop->annotations->keys[0], move->instruction->name);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "unannotate(%s, \"%s\")", loop->loop_var->name, loop->annotations->keys[0]);
  return FALSE;
}

gboolean
ls_legal_starts_at_zero (LsMove        *move,
                         LsDiagnostics *diagnostics,
                         LsSref        *sref)
{
  LsFor *loop = ls_sref_for (sref);
  g_autoptr(LsAnalyzer) analyzer = NULL;
  g_autoptr(LsExpr) zero = NULL;
  g_autofree char *min = NULL;

  if (ls_is_zero (loop->min))
    return TRUE;
  analyzer = ls_analyzer_new ();
  zero = ls_eq (ls_ref (loop->min), ls_const_int (ls_dtype (loop->min), 0));
  if (ls_analyzer_can_prove (analyzer, zero))
    return TRUE;
  min = ls_script_print_expr (loop->min);
  ls_move_refuse (move, diagnostics, "not-from-zero", loop, "Loop %s starts at %s; %s needs loops that start at 0.",
                  loop->loop_var->name, min, move->instruction->name);
  return FALSE;
}
