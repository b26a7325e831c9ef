/* tensorize: the computation of a block, or of the loops from one down, is done by a tensor intrinsic.
 *
 *   C_o:  for i, j, k: C: ...        ->      C_o:  C_1 = match_buffer (C[...]) ...
 *                                                  call_extern ("mm16", C_1.access_ptr ("w"), ...)
 *
 * A loop is turned into a block first, as blockize does.  The block has to be what the intrinsic's description says,
 * up to names, positions in the buffers and leading dimensions that are not touched; the first place where it is not
 * is the reason of the refusal.  Then the body of the implementation takes its place, over views (match_buffer) of the
 * program's buffers.  Source: TVM's tir tensorize and its TensorizeComparator.
 */
#include "engine/schedule/blockize/blockize.h"
#include "engine/schedule/intrin/match.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK_OR_LOOP, TENSOR_INTRIN, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "block_or_loop", LS_PARAM_BLOCK_OR_LOOP, 0, NULL, "the block, or the loop whose inside becomes one" },
  { "tensor_intrin", LS_PARAM_STRING, 0, NULL, "the name of a registered intrinsic" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep iteration variables that take one value only" },
};

/* ---- the new block ------------------------------------------------------------------------ */

/* The view of the program's buffer that stands for a parameter of the implementation. (transfer full) */
static LsNode *
view_of (LsIntrinMatch *matcher,
         LsPrimFunc    *desc,
         LsPrimFunc    *impl,
         guint          i)
{
  LsBlock *block = ls_prim_func_root (impl)->block;
  LsBuffer *inner = ls_prim_func_get_buffer (impl, i);
  LsBuffer *outer = g_hash_table_lookup (matcher->buffers, ls_prim_func_get_buffer (desc, i));
  LsBufferRegion *region = ls_region_of (block->reads, inner);
  LsArray *base = g_hash_table_lookup (matcher->bases, outer);
  GPtrArray *ranges = g_ptr_array_new ();
  guint offset;

  if (region == NULL)
    region = ls_region_of (block->writes, inner);
  offset = ls_array_n (base) - MIN (ls_array_n (base), ls_array_n (region->region));
  for (guint d = 0; d < ls_array_n (base); d++)
    {
      LsExpr *min = ls_array_at (base, d, LsExpr);
      LsExpr *extent = d < offset ? NULL : ls_array_at (region->region, d - offset, LsRange)->extent;
      gint64 value;

      if (extent == NULL)
        extent = ls_const_int (ls_dtype (min), 1);
      else if (ls_as_int (extent, &value))
        extent = ls_const_int (ls_dtype (min), value);
      else
        extent = ls_dtype_equal (ls_dtype (extent), ls_dtype (min)) ? ls_ref (extent) : ls_cast_new (ls_dtype (min), ls_ref (extent));
      g_ptr_array_add (ranges, ls_range_new (ls_ref (min), extent));
    }
  return LS_NODE (ls_match_buffer_region_new (ls_ref (inner), ls_buffer_region_new (ls_ref (outer), ls_array_take_ptr_array (ranges))));
}

static LsMap *
joined_annotations (LsMap *own,
                    LsMap *more)
{
  LsMap *joined = ls_ref (own);

  for (guint i = 0; i < more->n; i++)
    if (ls_map_get (joined, more->keys[i]) == NULL)
      ls_take (&joined, ls_map_set (joined, more->keys[i], more->values[i]));
  return joined;
}

static guint
widest_index (LsArray *regions,
              guint    bits)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsArray *region = ls_array_at (regions, i, LsBufferRegion)->region;

      for (guint d = 0; d < ls_array_n (region); d++)
        bits = MAX (bits, ls_dtype (ls_array_at (region, d, LsRange)->min).bits);
    }
  return bits;
}

/* The realize of the block that the intrinsic does, or NULL with findings.  `reuse` gets what blockize reuses. */
static LsBlockRealize *
tensorized (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsBlockReuse  *reuse)
{
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  const char *name = ls_move_string (move, TENSOR_INTRIN);
  g_autoptr(LsPrimFunc) desc = NULL;
  g_autoptr(LsPrimFunc) given = NULL;
  g_autoptr(LsPrimFunc) impl = NULL;
  g_autoptr(LsBlockRealize) realize = NULL;
  g_auto(LsIntrinMatch) matcher;
  GPtrArray *views;
  LsBlock *block, *body;
  g_autoptr (LsBlock) fresh = NULL;

  ls_intrin_match_init (&matcher, FALSE);
  if (!ls_tensor_intrin_get (name, &desc, &given))
    {
      ls_move_refuse (move, diagnostics, "unknown-intrin", NULL, "There is no tensor intrinsic %s; it has to be registered first.", name);
      return NULL;
    }
  realize = target->is_block ? ls_ref (ls_state_realize (move->state, target))
                             : ls_blockize_loop (move, diagnostics, target, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse);
  if (realize == NULL)
    return NULL;
  block = realize->block;
  if (!ls_intrin_match_realize (&matcher, realize, ls_prim_func_root (desc)))
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "mismatch", target->stmt, "%s %s is not what %s describes: %s", ls_translate (target->is_block ? LS_TEXT ("Block") : LS_TEXT ("Loop")),
                                              ls_sref_name (target), name, matcher.reason);

      if (matcher.culprit != NULL && matcher.culprit != target->stmt && ls_state_sref (move->state, matcher.culprit) != NULL)
        ls_move_add_culprit (move, finding, matcher.culprit);
      return NULL;
    }
  impl = ls_prim_func_renew (given, widest_index (block->writes, widest_index (block->reads, 32)));
  body = ls_prim_func_root (impl)->block;
  views = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (impl->params); i++)
    g_ptr_array_add (views, view_of (&matcher, desc, impl, i));
  fresh = ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (body->body), ls_ref (block->init),
                        ls_ref (block->alloc_buffers), ls_array_take_ptr_array (views), joined_annotations (block->annotations, body->annotations));
  return ls_block_realize_with_block (realize, fresh);
}

/* ---- the row ---------------------------------------------------------------------------------- */

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  g_autoptr(LsBlockRealize) realize = NULL;

  if (target->is_block && !ls_legal_not_root (move, diagnostics, target))
    return FALSE;
  realize = tensorized (move, diagnostics, reuse);
  return realize != NULL;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockReuse) none = ls_block_reuse_new ();
  LsSref *target = ls_move_sref (move, BLOCK_OR_LOOP);
  g_autoptr(LsBlockRealize) realize = tensorized (move, NULL, none);
  LsSref *scope = ls_state_scope_root (move->state, target);

  if (target->is_block)
    ls_block_reuse_add (reuse, ls_sref_block (target), realize->block);
  ls_state_replace (move->state, target, target->is_block ? (gpointer) realize->block : (gpointer) realize, reuse);
  ls_state_update_flags_below (move->state, scope);
  return TRUE;
}

const LsInstruction ls_instruction_tensorize = {
  .name = "tensorize",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Lets a tensor intrinsic do what a block does"),
  .condition = "The intrinsic is registered. The block, or the block that the loop's inside becomes, does what the description of the intrinsic says: "
               "the same loops, bindings, regions, indices and values, up to names and positions in the buffers.",
  .source = "TVM v0.20 tir.Schedule.tensorize",
  .check = check,
  .apply = apply,
};
