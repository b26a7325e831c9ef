/* transform_layout: a buffer gets another layout; all accesses of it follow.
 *
 *   A[i, j]   -- lambda i, j: (i // 4, j, i % 4) ->   A[i // 4, j, i % 4]
 *
 * The map is one to one; where the new shape holds more elements than the old one, pad_value says what they are
 * (rewrite/padding.c).  Source: TVM's tir transform_layout.
 */
#include "engine/schedule/primitive/primitive.h"

#include "engine/base/plural.h"
#include "engine/script/printer.h"
#include "engine/tir/index-map.h"

enum { BLOCK, BUFFER, INDEX_MAP, PAD_VALUE, ASSUME_INJECTIVE_TRANSFORM };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "a block that uses the buffer" },
  { "buffer", LS_PARAM_BUFFER, 0, NULL, "(\"read\", 0), (\"write\", 0) or the name of the buffer" },
  { "index_map", LS_PARAM_INDEX_MAP, LS_PARAM_INPUT | LS_PARAM_LAYOUT, NULL, "from the indices of the buffer to the new ones" },
  { "pad_value", LS_PARAM_VALUE, LS_PARAM_OPTIONAL, "None", "what elements hold that the new layout adds: a number or a function of the new indices" },
  { "assume_injective_transform", LS_PARAM_BOOL, 0, "False", "take it for granted that the map is one to one and adds nothing" },
};

/* What is known of the change. */
typedef struct {
  LsBuffer   *buffer;           /* borrowed */
  LsSref     *site;             /* block that allocates it; NULL: a parameter */
  LsIndexMap *map;              /* owned, as the rest */
  LsIndexMap *pad_value;
  LsIndexMap *inverse;
  LsExpr     *predicate;        /* where the padding is, in the variables of the inverse */
} Plan;

static void
plan_clear (Plan *self)
{
  ls_unref (self->map);
  ls_unref (self->pad_value);
  ls_unref (self->inverse);
  ls_unref (self->predicate);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* ---- the value of the padding ----------------------------------------------------- */

typedef struct {
  LsBuffer *own;
  LsBuffer *other;
} Loads;

static LsWalk
look_at_load (LsNode   *node,
              gpointer  user_data)
{
  Loads *self = user_data;

  if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer != self->own)
    self->other = ((LsBufferLoad *) node)->buffer;
  return LS_WALK_CONTINUE;
}

/* A number as a function of as many indices as the map gives; NULL when it is none of the buffer's type. */
static LsIndexMap *
constant_value (LsIndexMap *map,
                LsNode     *number,
                LsDType     dtype)
{
  GPtrArray *vars = g_ptr_array_new ();
  LsExpr *value;
  gint64 whole;

  if (ls_is (number, FLOAT_IMM) && ls_dtype_is_float (dtype))
    value = ls_const_float (dtype, ((LsFloatImm *) number)->value);
  else if (ls_is (number, INT_IMM) && !ls_dtype_is_float (dtype) && ls_as_int (number, &whole) &&
           (ls_dtype_is_index (ls_dtype (number)) || ls_dtype_equal (ls_dtype (number), dtype)))
    value = ls_const_int (dtype, whole);
  else
    {
      g_ptr_array_unref (vars);
      return NULL;
    }
  for (guint i = 0; i < ls_array_n (map->final_indices); i++)
    {
      g_autofree char *name = g_strdup_printf ("indices_%u", i);

      g_ptr_array_add (vars, ls_var_new (name, ls_dtype (map->final_indices->items[i])));
    }
  return ls_index_map_new (ls_array_take_ptr_array (vars), ls_array_of (value, NULL), NULL);
}

/* A number is kept as the function that it stands for. */
static LsNode *
plain (LsMove *move,
       guint   param)
{
  LsNode *given = move->args[param];
  gboolean is_write;
  LsBuffer *buffer;

  if (param != PAD_VALUE || given == NULL || ls_is (given, INDEX_MAP))
    return NULL;
  buffer = ls_legal_buffer_access (move, NULL, ls_move_sref (move, BLOCK), BUFFER, &is_write);
  return buffer != NULL ? LS_NODE (constant_value ((LsIndexMap *) move->args[INDEX_MAP], given, buffer->dtype)) : NULL;
}

/* A whole number as a function, as a trace has it: it is one of the buffer's type, whatever the type of the indices. */
static gboolean
is_plain_number (LsNode *value,
                 LsDType dtype)
{
  LsIndexMap *map = (LsIndexMap *) value;

  return ls_is (value, INDEX_MAP) && ls_dtype_is_index (dtype) && ls_array_n (map->final_indices) == 1 &&
         ls_is (map->final_indices->items[0], INT_IMM) && ls_dtype_is_index (ls_dtype (map->final_indices->items[0]));
}

static gboolean
legal_pad_value (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block,
                 Plan          *plan)
{
  LsNode *given = move->args[PAD_VALUE];
  Loads loads = { plan->buffer, NULL };

  if (given == NULL)
    return TRUE;
  if (is_plain_number (given, plan->buffer->dtype))
    given = ((LsIndexMap *) given)->final_indices->items[0];
  plan->pad_value = ls_is (given, INDEX_MAP) ? ls_move_index_map (move, PAD_VALUE, block)
                                             : constant_value (plan->map, given, plan->buffer->dtype);
  if (plan->pad_value == NULL || (ls_array_n (plan->pad_value->final_indices) == 1 &&
                                  !ls_dtype_equal (ls_dtype (plan->pad_value->final_indices->items[0]), plan->buffer->dtype)))
    {
      ls_move_refuse (move, diagnostics, "pad-type", block->stmt, "The value of the padding is not of type %s, as the elements of %s are.",
                      ls_dtype_name (plan->buffer->dtype), plan->buffer->name);
      return FALSE;
    }
  if (ls_array_n (plan->pad_value->final_indices) != 1 ||
      ls_array_n (plan->pad_value->initial_indices) != ls_array_n (plan->map->final_indices))
    {
      ls_move_refuse (move, diagnostics, "pad-arity", block->stmt, ls_translate_plural ("The value of the padding is a function of the %u new index with one result.",
                                           "The value of the padding is a function of the %u new indices with one result.", ls_array_n (plan->map->final_indices)),
                      ls_array_n (plan->map->final_indices));
      return FALSE;
    }
  ls_walk (plan->pad_value->final_indices, look_at_load, NULL, &loads);
  if (loads.other != NULL)
    ls_move_refuse (move, diagnostics, "pad-load", block->stmt, "The value of the padding reads %s; it may read %s only.",
                    loads.other->name, plan->buffer->name);
  return loads.other == NULL;
}

/* ---- the map ------------------------------------------------------------------------ */

static void
know_shapes (LsMove     *move,
             LsSref     *block,
             LsAnalyzer *analyzer)
{
  LsPrimFunc *func = ls_state_func (move->state, block);

  for (guint i = 0; i < ls_array_n (func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (func->buffers, i, LsBuffer);

      for (guint k = 0; buffer != NULL && k < ls_buffer_ndim (buffer); k++)
        ls_analyzer_mark_global_non_neg (analyzer, ls_array_at (buffer->shape, k, LsExpr));
    }
}

/* The map and the ranges that it is over in int64, where int32 does not hold the new indices. */
static void
widen (Plan     *plan,
       LsArray **ranges)
{
  GPtrArray *wide;

  if (!ls_index_map_leaves_int32 (plan->map, *ranges))
    return;
  wide = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (*ranges); i++)
    g_ptr_array_add (wide, ls_range_new (ls_const_int (LS_INT64, 0), ls_cast (LS_INT64, ls_ref (ls_array_at (*ranges, i, LsRange)->extent))));
  ls_take (ranges, ls_array_take_ptr_array (wide));
  ls_take (&plan->map, ls_index_map_in (plan->map, LS_INT64));
}

static gboolean
legal_map (LsMove        *move,
           LsDiagnostics *diagnostics,
           LsSref        *block,
           Plan          *plan)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  GPtrArray *list = g_ptr_array_new ();
  g_autoptr(LsArray) ranges = NULL;
  g_autofree char *where = NULL;
  LsDiagnostic *finding;

  for (guint i = 0; i < ls_buffer_ndim (plan->buffer); i++)
    {
      LsExpr *size = ls_array_at (plan->buffer->shape, i, LsExpr);

      g_ptr_array_add (list, ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size)));
    }
  ranges = ls_array_take_ptr_array (list);
  widen (plan, &ranges);
  plan->predicate = ls_bool (FALSE);
  if (ls_move_bool (move, ASSUME_INJECTIVE_TRANSFORM))
    return TRUE;
  know_shapes (move, block, analyzer);
  ls_take (&plan->predicate, NULL);
  plan->inverse = ls_index_map_non_surjective_inverse (plan->map, ranges, analyzer, &plan->predicate, NULL);
  if (plan->inverse == NULL)
    {
      ls_move_refuse (move, diagnostics, "not-one-to-one", block->stmt, "The map takes several elements of %s to one place, or is not affine.",
                      plan->buffer->name);
      return FALSE;
    }
  if (ls_is_zero (plan->predicate) || plan->pad_value != NULL)
    return TRUE;
  where = ls_script_print_expr (plan->predicate);
  finding = ls_move_refuse (move, diagnostics, "padding", block->stmt, "The new layout of %s has elements that the old one has not: where %s.",
                            plan->buffer->name, where);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Give pad_value, the value that these elements hold.");
  return FALSE;
}

static gboolean
plan_make (Plan          *plan,
           LsMove        *move,
           LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  gboolean is_write;

  plan->buffer = ls_legal_buffer_access (move, diagnostics, block, BUFFER, &is_write);
  if (plan->buffer == NULL || !ls_legal_not_root (move, diagnostics, block))
    return FALSE;
  if (!ls_legal_not_view (move, diagnostics, block, plan->buffer, &plan->site))
    return FALSE;
  plan->map = ls_move_index_map (move, INDEX_MAP, block);
  if (ls_array_n (plan->map->initial_indices) != ls_buffer_ndim (plan->buffer))
    {
      ls_move_refuse (move, diagnostics, "arity", block->stmt, ls_translate_plural ("The map takes %u index, but %s is indexed by %u.", "The map takes %u indices, but %s is indexed by %u.",
                                           ls_array_n (plan->map->initial_indices)),
                      ls_array_n (plan->map->initial_indices), plan->buffer->name, ls_buffer_ndim (plan->buffer));
      return FALSE;
    }
  return legal_pad_value (move, diagnostics, block, plan) && legal_map (move, diagnostics, block, plan);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Plan) plan = { NULL };

  if (!plan_make (&plan, move, diagnostics))
    return FALSE;
  if (diagnostics != NULL)
    ls_doubt_views (move, diagnostics, ls_move_sref (move, BLOCK), plan.buffer);
  if (plan.site == NULL)
    ls_move_warn (move, diagnostics, "parameter", NULL, "%s is a parameter: whoever calls the function has to lay it out in the new way.",
                  plan.buffer->name);
  return TRUE;
}

/* ---- apply ---------------------------------------------------------------------------- */

static LsNode *
enter (LsNode   *node,
       gpointer  user_data)
{
  LsPadding *self = user_data;
  LsNode *fresh = NULL;

  if (self->kind == LS_PADDING_WRITTEN && ls_is (node, FOR))
    fresh = g_hash_table_lookup (self->loops, node);
  return ls_node_ref (fresh);
}

typedef struct {
  LsNode *place;
  LsStmt *nest;
} After;

static LsNode *
put_after (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    user_data)
{
  After *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (node == self->place)
    return ls_seq_stmt_new (ls_array_of (ls_node_ref (node), ls_node_ref (self->nest), NULL));
  fresh = ls_rewrite_default (rewriter, node);
  return ls_is (node, SEQ_STMT) && fresh != node ? ls_seq (ls_ref (((LsSeqStmt *) fresh)->seq)) : g_steal_pointer (&fresh);
}

/* The scope with the padding filled, before accesses are rewritten. (transfer full) */
static LsBlock *
filled_scope (LsBlock      *scope,
              LsPadding    *padding,
              LsBlockReuse *reuse)
{
  After after = { padding->place, padding->nest };
  LsBlock *fresh;

  if (padding->kind != LS_PADDING_FILLED)
    return ls_ref (scope);
  fresh = (LsBlock *) ls_rewrite_with (scope, put_after, &after);
  ls_block_reuse_add (reuse, scope, fresh);
  return fresh;
}

static LsBuffer *
with_shape (LsBuffer *old,
            LsArray  *shape)
{
  gboolean widens = ls_array_n (shape) > 0 && ls_is_zero (old->elem_offset) && ls_dtype (shape->items[0]).bits > ls_dtype (old->elem_offset).bits;
  LsExpr *offset = widens ? ls_const_int (ls_dtype (shape->items[0]), 0) : ls_ref (old->elem_offset);

  return ls_buffer_new_full (ls_ref (old->data), old->dtype, shape, ls_ref (old->strides), offset, old->name,
                             old->data_alignment, old->offset_factor, old->buffer_type, ls_ref (old->axis_separators));
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Plan) plan = { NULL };
  g_auto(LsPadding) padding = { LS_PADDING_NONE };
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBuffer) fresh = NULL;
  g_autoptr(LsBlock) filled = NULL;
  g_autoptr(LsBlock) new_scope = NULL;
  g_autoptr(GHashTable) entered = NULL;
  LsSref *scope;

  plan_make (&plan, move, NULL);
  scope = plan.site != NULL ? plan.site : ls_state_scope_root (move->state, ls_move_sref (move, BLOCK));
  fresh = with_shape (plan.buffer, ls_index_map_map_shape (plan.map, plan.buffer->shape, NULL));
  if (plan.inverse != NULL)
    ls_padding_plan (&padding, ls_sref_block (scope), plan.buffer, fresh, plan.inverse, plan.predicate, plan.pad_value, reuse);
  filled = filled_scope (ls_sref_block (scope), &padding, reuse);
  if (padding.kind == LS_PADDING_NONE)
    entered = ls_state_entered (move->state, scope, NULL, &plan.buffer, 1);
  new_scope = ls_rebuild_map_accesses (filled, plan.buffer, fresh, plan.map, enter, &padding, entered, reuse);
  if (padding.kind == LS_PADDING_ASSUMED)
    {
      g_autoptr(LsNode) body = ls_seq (ls_array_of (ls_ref (padding.nest), ls_ref (new_scope->body), NULL));
      LsBlock *with_assumptions = ls_block_with_body (new_scope, body);

      ls_block_reuse_carry (reuse, new_scope, with_assumptions);
      ls_take (&new_scope, with_assumptions);
    }
  if (new_scope != ls_sref_block (scope))
    ls_block_reuse_carry (reuse, ls_sref_block (scope), new_scope);
  ls_state_replace (move->state, scope, new_scope, reuse);
  if (plan.site == NULL)
    ls_state_replace_parameter (move->state, scope->func, plan.buffer, fresh);
  ls_move_note_buffer (move, LS_LINEAGE_CHANGED, fresh, plan.buffer);
  return TRUE;
}

const LsInstruction ls_instruction_transform_layout = {
  .name = "transform_layout",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Lays a buffer out in another way, by an index map"),
  .condition = "The map takes as many indices as the buffer has dimensions and is one to one. Where the new layout has elements "
               "that the old one has not, pad_value says what they hold. The buffer is no view.",
  .source = "TVM v0.20 tir.Schedule.transform_layout",
  .plain = plain,
  .check = check,
  .apply = apply,
};
