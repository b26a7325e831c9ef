/* rfactor: a reduction is done in parts along one loop, and the parts are then put together.
 *
 *   for i, k0, k1: B[i] += A       -- rfactor (k1) ->      for i, k0, k1: B_rf[k1, i] += A
 *                                                          for i, k1:     B[i] += B_rf[k1, i]
 *
 * In the first block the loop becomes spatial.  A reduction variable that uses it is taken apart into variables for each
 * of its loops.  Source: TVM's tir rfactor.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"
#include "engine/tir/scope.h"

enum { LOOP, FACTOR_AXIS };

static const LsParam params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the reduction loop along which the parts are made" },
  { "factor_axis", LS_PARAM_INT, 0, NULL, "where its dimension goes in the buffer of the parts; negative ones count from the end" },
};

/* ---- check --------------------------------------------------------------------- */

static gboolean
touches (LsBlockRealize *realize,
         LsIterType      type,
         LsVar          *loop_var)
{
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == (int) type && ls_uses (realize->iter_values->items[i], loop_var))
      return TRUE;
  return FALSE;
}

static gboolean
legal_loop (LsMove         *move,
            LsDiagnostics  *diagnostics,
            LsBlockRealize *realize,
            LsSref         *sref,
            gboolean       *below_reduction)
{
  LsFor *loop = ls_sref_for (sref);
  const char *name = realize->block->name_hint;
  gboolean spatial = touches (realize, LS_ITER_DATA_PAR, loop->loop_var);
  gboolean reduces = touches (realize, LS_ITER_COMM_REDUCE, loop->loop_var);
  LsSref *only;

  if (spatial && reduces)
    {
      ls_move_refuse (move, diagnostics, "mixed-loop", loop, "Loop %s is used by spatial and by reduction variables of block %s.",
                      loop->loop_var->name, name);
      return FALSE;
    }
  if (spatial)
    {
      if (sref != ls_move_sref (move, LOOP))
        return TRUE;
      ls_move_refuse (move, diagnostics, "spatial-loop", loop, "Block %s does not add up over %s; rfactor takes a loop that it adds up over.",
                      name, loop->loop_var->name);
      return FALSE;
    }
  if (reduces)
    {
      gboolean first = !*below_reduction;

      *below_reduction = TRUE;
      return !first || ls_legal_single_child (move, diagnostics, sref, &only);
    }
  if (!*below_reduction && sref == ls_move_sref (move, LOOP) && !ls_is_one (loop->extent))
    ls_move_warn (move, diagnostics, "repeats", loop, "Loop %s runs all of block %s again; as a loop that adds up it counts every term more than once.",
                  loop->loop_var->name, name);
  if (!*below_reduction || ls_is_one (loop->extent))
    return TRUE;
  ls_move_refuse (move, diagnostics, "unbound-loop", loop, "Loop %s, below a reduction loop, repeats block %s with the same variables.",
                  loop->loop_var->name, name);
  return FALSE;
}

static gboolean
legal_loops (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, loops->pdata[0]);
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  gboolean below_reduction = FALSE;

  if (blocks->pdata[0] != block)
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "not-first", ((LsSref *) loops->pdata[0])->stmt,
                                              "Block %s stands before block %s in loop %s.", ls_sref_name (blocks->pdata[0]),
                                              ls_sref_name (block), ls_sref_name (loops->pdata[0]));

      ls_move_add_culprit (move, finding, block->stmt);
      return FALSE;
    }
  for (guint i = 0; i < loops->len; i++)
    if (!legal_loop (move, diagnostics, realize, loops->pdata[i], &below_reduction))
      return FALSE;
  return TRUE;
}

static gboolean
legal_reducer (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsBlock       *block)
{
  LsReducer reducer;
  const char *reason = ls_reducer_find (&reducer, block);
  gint64 axis = ls_move_int (move, FACTOR_AXIS);
  gboolean legal = reason == NULL;

  if (!legal)
    ls_move_refuse (move, diagnostics, "reducer", block, "Block %s %s.", block->name_hint, ls_translate (reason));
  else
    {
      gint64 n = ls_buffer_ndim (reducer.stores[0]->buffer);

      legal = axis >= -(n + 1) && axis <= n;
      if (!legal)
        ls_move_refuse (move, diagnostics, "factor-axis", block, ls_translate_plural ("The parts of %s have %" PRId64 " dimension, so there is no dimension %" PRId64 ".",
                                             "The parts of %s have %" PRId64 " dimensions, so there is no dimension %" PRId64 ".", (gulong) n + 1), reducer.stores[0]->buffer->name, n + 1, axis);
    }
  ls_reducer_clear (&reducer);
  return legal;
}

/* The second block runs for all values of the loops that it keeps, without the guard of the first: warns where the guard
 * may leave a part out altogether. */
static void
doubt_guard (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  g_autoptr(GHashTable) starts = g_hash_table_new (NULL, NULL);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) guard = NULL;

  if (ls_is_one (realize->predicate))
    return;
  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);

      if (loops->pdata[i] != ls_move_sref (move, LOOP) && touches (realize, LS_ITER_COMM_REDUCE, loop->loop_var))
        g_hash_table_insert (starts, loop->loop_var, loop->min);
      else
        ls_scope_bind (analyzer, LS_NODE (loop), LS_SCOPE_LOOPS);
    }
  guard = (LsExpr *) ls_substitute (realize->predicate, starts);
  if (!ls_analyzer_can_prove (analyzer, guard))
    ls_move_warn (move, diagnostics, "guard", block->stmt,
                  "Block %s runs under a guard; the block that puts the parts together has none and may use parts that were not made.",
                  ls_sref_name (block));
}

#define OWN LS_TEXT ("Block %s reads %s, which it also writes; the parts are made before it is written.")

/* TVM accepts terms that come of other sums of the block. */
static gboolean
legal_terms (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block)
{
  gboolean strict = ls_schedule_is_strict (move->schedule);
  LsArray *writes = ls_sref_block (block)->writes;

  for (guint i = 0; i < ls_array_n (writes); i++)
    {
      LsBuffer *buffer = ls_array_at (writes, i, LsBufferRegion)->buffer;

      if (!ls_reads_what_was_there (ls_sref_block (block), buffer))
        continue;
      if (strict)
        ls_move_refuse (move, diagnostics, "reads-own-output", block->stmt, OWN, ls_sref_name (block), buffer->name);
      else
        ls_move_warn (move, diagnostics, "reads-own-output", block->stmt, OWN, ls_sref_name (block), buffer->name);
      return !strict;
    }
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *loop = ls_move_sref (move, LOOP);
  LsSref *block, *root;
  gboolean legal;

  if (!ls_legal_single_child (move, diagnostics, loop, &block))
    return FALSE;
  legal = ls_legal_scope (move, diagnostics, block, TRUE, &root);
  if (root == NULL)
    return FALSE;
  if (!ls_legal_reduction_block (move, diagnostics, block, root))
    return FALSE;
  if (ls_sref_for (loop)->kind != LS_FOR_SERIAL)
    {
      ls_move_refuse (move, diagnostics, "not-serial", loop->stmt, "Loop %s is %s; rfactor takes a serial loop.", ls_sref_name (loop),
                      ls_for_kind_name (ls_sref_for (loop)->kind));
      legal = FALSE;
    }
  legal = legal_loops (move, diagnostics, block) && legal_reducer (move, diagnostics, ls_sref_block (block)) && legal;
  if (legal && diagnostics != NULL)
    doubt_guard (move, diagnostics, block);
  return legal && legal_terms (move, diagnostics, block);
}

/* ---- the two blocks --------------------------------------------------------------- */

typedef struct {
  LsBlockRealize *realize;      /* of the reduction, borrowed */
  LsFor          *loop;         /* the given one */
  GPtrArray      *loops;        /* of LsSref: around the block, outermost first */
  guint           axis;
  LsReducer       reducer;
  LsBuffer       *parts[LS_REDUCER_MAX];    /* owned */
  LsIterVar      *part_var;     /* of the first block, owned by it */
  LsArray        *part_indices; /* owned: of the parts, in the first block, before variables are taken apart */
} Factoring;

/* One of the blocks while it is made. */
typedef struct {
  GPtrArray  *iter_vars;
  GPtrArray  *values;
  GHashTable *map;              /* old variable -> what stands for it (owned) */
} Draft;

static Draft
draft_new (void)
{
  return (Draft) { g_ptr_array_new (), g_ptr_array_new (), g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref) };
}

static LsIterVar *
var_of_loop (LsFor      *loop,
             LsIterType  type)
{
  g_autofree char *name = g_strconcat ("v", loop->loop_var->name, NULL);

  return ls_iter_var_new (ls_range_new (ls_ref (loop->min), ls_ref (loop->extent)), ls_var_new (name, ls_dtype (loop->loop_var)), type, NULL);
}

static void
make_parts (Factoring *self)
{
  for (guint i = 0; i < self->reducer.n; i++)
    {
      LsBuffer *old = self->reducer.stores[i]->buffer;
      g_autofree char *name = g_strconcat (old->name, ".rf", NULL);
      g_autofree char *data_name = g_strconcat (old->data->name, ".rf", NULL);
      LsArray *shape = ls_array_insert (old->shape, self->axis, self->loop->extent);

      self->parts[i] = ls_buffer_new_full (ls_var_copy (old->data, data_name), old->dtype, shape, ls_ref (old->strides),
                                           ls_ref (old->elem_offset), name, old->data_alignment, old->offset_factor,
                                           old->buffer_type, ls_ref (old->axis_separators));
    }
}

/* Stores of the values, named by lets when there are several. Takes the values. */
static LsStmt *
stores_of (Factoring *self,
           LsBuffer **buffers,
           LsExpr   **values,
           LsArray   *indices)
{
  GPtrArray *stores = g_ptr_array_new ();
  LsVar *vars[LS_REDUCER_MAX];
  LsStmt *body;

  if (self->reducer.n == 1)
    {
      g_ptr_array_unref (stores);
      return ls_buffer_store_new (ls_ref (buffers[0]), values[0], ls_ref (indices), NULL);
    }
  for (guint i = 0; i < self->reducer.n; i++)
    {
      g_autofree char *name = g_strconcat ("v_", buffers[i]->name, NULL);

      vars[i] = ls_var_new (name, ls_dtype (values[i]));
      g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (buffers[i]), LS_EXPR (ls_ref (vars[i])), ls_ref (indices), NULL));
    }
  body = ls_seq (ls_array_take_ptr_array (stores));
  for (guint i = self->reducer.n; i-- > 0;)
    body = ls_let_stmt_new (vars[i], values[i], body);
  return body;
}

static LsStmt *
init_of (Factoring *self,
         LsBuffer **buffers,
         LsArray   *indices)
{
  GPtrArray *stores = g_ptr_array_new ();

  for (guint i = 0; i < self->reducer.n; i++)
    g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (buffers[i]), ls_ref (self->reducer.identity[i]), ls_ref (indices), NULL));
  return ls_seq (ls_array_take_ptr_array (stores));
}

/* The update: values combined with `x` and `y`, over the new variables. Takes x and y. */
static LsStmt *
update_of (Factoring  *self,
           LsBuffer  **buffers,
           LsArray    *indices,
           LsExpr    **x,
           LsExpr    **y,
           GHashTable *map)
{
  LsExpr *values[LS_REDUCER_MAX];

  for (guint i = 0; i < self->reducer.n; i++)
    {
      g_autoptr(LsExpr) value = ls_reducer_combine (&self->reducer, i, x, y);

      values[i] = (LsExpr *) ls_substitute (value, map);
    }
  for (guint i = 0; i < self->reducer.n; i++)
    {
      ls_unref (x[i]);
      ls_unref (y[i]);
    }
  return stores_of (self, buffers, values, indices);
}

/* Variables for the loops that an old reduction variable runs over. */
static void
take_apart (Factoring  *self,
            Draft      *draft,
            GHashTable *var_of_loops,
            guint       i)
{
  LsExpr *binding = ls_array_at (self->realize->iter_values, i, LsExpr);
  g_autoptr(GPtrArray) used = ls_vars_in_order (binding);

  for (guint k = 0; k < used->len; k++)
    for (guint l = 0; l < self->loops->len; l++)
      {
        LsFor *loop = ls_sref_for ((LsSref *) self->loops->pdata[l]);
        LsIterVar *fresh;

        if (used->pdata[k] != loop->loop_var || g_hash_table_contains (var_of_loops, loop->loop_var))
          continue;
        fresh = var_of_loop (loop, LS_ITER_COMM_REDUCE);
        g_hash_table_insert (var_of_loops, loop->loop_var, fresh->var);
        g_ptr_array_add (draft->iter_vars, fresh);
        g_ptr_array_add (draft->values, ls_ref (loop->loop_var));
      }
  g_hash_table_insert (draft->map, ls_array_at (self->realize->block->iter_vars, i, LsIterVar)->var, ls_substitute (binding, var_of_loops));
}

static LsArray *
regions_of_parts (Factoring *self,
                  Draft     *draft)
{
  LsArray *writes = self->realize->block->writes;
  GPtrArray *regions = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (writes); i++)
    {
      LsBufferRegion *old = ls_array_at (writes, i, LsBufferRegion);
      LsVar *var = self->part_var->var;
      g_autoptr(LsRange) point = ls_range_new (LS_EXPR (ls_ref (var)), ls_const_int (ls_dtype (var), 1));
      g_autoptr(LsArray) ranges = ls_array_insert (old->region, self->axis, point);

      for (guint k = 0; k < self->reducer.n; k++)
        if (self->reducer.stores[k]->buffer == old->buffer)
          g_ptr_array_add (regions, ls_buffer_region_new (ls_ref (self->parts[k]), (LsArray *) ls_substitute (ranges, draft->map)));
    }
  return ls_array_take_ptr_array (regions);
}

static LsArray *
regions_over (LsArray    *regions,
              GHashTable *map)
{
  GPtrArray *fresh = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *old = ls_array_at (regions, i, LsBufferRegion);

      g_ptr_array_add (fresh, ls_buffer_region_new (ls_ref (old->buffer), (LsArray *) ls_substitute (old->region, map)));
    }
  return ls_array_take_ptr_array (fresh);
}

static gboolean
still_reduces (GPtrArray *iter_vars)
{
  for (guint i = 0; i < iter_vars->len; i++)
    if (((LsIterVar *) iter_vars->pdata[i])->iter_type == LS_ITER_COMM_REDUCE)
      return TRUE;
  return FALSE;
}

/* Each part is one value when nothing is left to add up: it is stored as it is. */
static LsStmt *
store_of_parts (Factoring  *self,
                LsArray    *indices,
                GHashTable *map)
{
  LsExpr *values[LS_REDUCER_MAX];

  for (guint i = 0; i < self->reducer.n; i++)
    values[i] = (LsExpr *) ls_substitute (self->reducer.added[i], map);
  return stores_of (self, self->parts, values, indices);
}

/* The block that makes the parts. (transfer full) */
static LsBlockRealize *
part_block (Factoring *self)
{
  LsBlock *old = self->realize->block;
  g_autofree char *name = g_strconcat (old->name_hint, "_rf", NULL);
  g_autoptr(GHashTable) var_of_loops = g_hash_table_new (NULL, NULL);
  g_autoptr(LsArray) indices = NULL;
  Draft draft = draft_new ();
  LsExpr *x[LS_REDUCER_MAX], *y[LS_REDUCER_MAX];
  LsBlock *block;
  LsStmt *body, *init;

  self->part_var = var_of_loop (self->loop, LS_ITER_DATA_PAR);
  g_hash_table_insert (var_of_loops, self->loop->loop_var, self->part_var->var);
  g_ptr_array_add (draft.iter_vars, self->part_var);
  g_ptr_array_add (draft.values, ls_ref (self->loop->loop_var));
  for (guint i = 0; i < ls_array_n (old->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (old->iter_vars, i, LsIterVar);

      if (iter->iter_type != LS_ITER_DATA_PAR && ls_uses (self->realize->iter_values->items[i], self->loop->loop_var))
        {
          take_apart (self, &draft, var_of_loops, i);
          continue;
        }
      g_ptr_array_add (draft.iter_vars, ls_ref (iter));
      g_ptr_array_add (draft.values, ls_node_ref (self->realize->iter_values->items[i]));
    }
  self->part_indices = ls_array_insert (self->reducer.stores[0]->indices, self->axis, self->part_var->var);
  indices = (LsArray *) ls_substitute (self->part_indices, draft.map);
  if (still_reduces (draft.iter_vars))
    {
      for (guint i = 0; i < self->reducer.n; i++)
        {
          x[i] = ls_buffer_load_new (ls_ref (self->parts[i]), ls_ref (self->part_indices), NULL);
          y[i] = ls_ref (self->reducer.added[i]);
        }
      body = update_of (self, self->parts, indices, x, y, draft.map);
      init = init_of (self, self->parts, indices);
    }
  else
    {
      body = store_of_parts (self, indices, draft.map);
      init = NULL;
    }
  block = ls_block_new (ls_array_take_ptr_array (draft.iter_vars), regions_over (old->reads, draft.map), regions_of_parts (self, &draft), name,
                        body, init, NULL, NULL, ls_ref (old->annotations));
  g_hash_table_unref (draft.map);
  return ls_block_realize_new (ls_array_take_ptr_array (draft.values), ls_ref (self->realize->predicate), block);
}

/* The block that puts the parts together. (transfer full) */
static LsBlockRealize *
final_block (Factoring *self)
{
  LsBlock *old = self->realize->block;
  Draft draft = draft_new ();
  LsIterVar *over_parts = var_of_loop (self->loop, LS_ITER_COMM_REDUCE);
  g_autoptr(LsArray) indices = NULL;
  g_autoptr(LsArray) part_indices = NULL;
  GPtrArray *reads = g_ptr_array_new ();
  GPtrArray *writes = g_ptr_array_new ();
  LsBuffer *buffers[LS_REDUCER_MAX];
  LsExpr *x[LS_REDUCER_MAX], *y[LS_REDUCER_MAX];
  LsBlock *block;
  LsStmt *body;

  g_ptr_array_add (draft.iter_vars, over_parts);
  g_ptr_array_add (draft.values, ls_ref (self->loop->loop_var));
  g_hash_table_insert (draft.map, self->part_var->var, ls_node_ref (LS_NODE (over_parts->var)));
  for (guint i = 0; i < ls_array_n (old->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (old->iter_vars, i, LsIterVar);
      LsVar *var;

      if (iter->iter_type != LS_ITER_DATA_PAR)
        continue;
      var = ls_var_copy (iter->var, NULL);
      g_ptr_array_add (draft.iter_vars, ls_iter_var_new (ls_ref (iter->dom), var, LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (draft.values, ls_node_ref (self->realize->iter_values->items[i]));
      g_hash_table_insert (draft.map, iter->var, ls_node_ref (LS_NODE (var)));
    }
  indices = (LsArray *) ls_substitute (self->reducer.stores[0]->indices, draft.map);
  part_indices = (LsArray *) ls_substitute (self->part_indices, draft.map);
  for (guint i = 0; i < self->reducer.n; i++)
    {
      buffers[i] = self->reducer.stores[i]->buffer;
      x[i] = ls_buffer_load_new (ls_ref (buffers[i]), ls_ref (indices), NULL);
      y[i] = ls_buffer_load_new (ls_ref (self->parts[i]), ls_ref (part_indices), NULL);
      g_ptr_array_add (reads, ls_buffer_region_point (ls_ref (self->parts[i]), ls_ref (part_indices)));
      g_ptr_array_add (writes, ls_buffer_region_point (ls_ref (buffers[i]), ls_ref (indices)));
    }
  body = update_of (self, buffers, indices, x, y, draft.map);
  block = ls_block_new (ls_array_take_ptr_array (draft.iter_vars), ls_array_take_ptr_array (reads), ls_array_take_ptr_array (writes),
                        old->name_hint, body, init_of (self, buffers, indices), NULL, NULL, ls_ref (old->annotations));
  g_hash_table_unref (draft.map);
  return ls_block_realize_new (ls_array_take_ptr_array (draft.values), ls_bool (TRUE), block);
}

/* ---- placement ----------------------------------------------------------------------- */

/* The block of the parts under copies of all the loops. Takes `realize`. */
static LsStmt *
part_nest (Factoring      *self,
           LsBlockRealize *realize)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) vars = g_ptr_array_new ();
  LsStmt *nest;

  for (guint i = 0; i < self->loops->len; i++)
    {
      LsVar *old = ls_sref_for ((LsSref *) self->loops->pdata[i])->loop_var;
      LsVar *var = ls_var_copy (old, NULL);

      g_ptr_array_add (vars, var);
      g_hash_table_insert (map, old, var);
    }
  nest = LS_STMT (ls_block_realize_new ((LsArray *) ls_substitute (realize->iter_values, map), (LsExpr *) ls_substitute (realize->predicate, map),
                                        ls_ref (realize->block)));
  ls_unref (realize);
  for (guint i = self->loops->len; i-- > 0;)
    {
      LsFor *old = ls_sref_for ((LsSref *) self->loops->pdata[i]);

      nest = LS_STMT (ls_for_new (vars->pdata[i], ls_ref (old->min), (LsExpr *) ls_substitute (old->extent, map), old->kind, nest,
                                  ls_ref (old->thread_binding), ls_ref (old->annotations)));
    }
  return nest;
}

typedef struct {
  Factoring      *factoring;
  LsStmt         *part_nest;
  LsBlockRealize *final;
} Placement;

static gboolean
is_around (Factoring *self,
           LsNode    *loop)
{
  for (guint i = 0; i < self->loops->len; i++)
    if (((LsSref *) self->loops->pdata[i])->stmt == loop)
      return TRUE;
  return FALSE;
}

static LsNode *
place (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Placement *self = user_data;
  g_autoptr(LsNode) fresh = NULL;
  LsFor *loop = (LsFor *) node;

  if (node == LS_NODE (self->factoring->realize))
    return LS_NODE (ls_ref (self->final));
  if (ls_is_expr (node) || ls_is (node, BLOCK_REALIZE) || (ls_is (node, FOR) && !is_around (self->factoring, node)))
    return ls_node_ref (node);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (node, SEQ_STMT) && fresh != node)
    return ls_seq (ls_ref (((LsSeqStmt *) fresh)->seq));
  if (!ls_is (node, FOR))
    return g_steal_pointer (&fresh);
  if (loop != self->factoring->loop && touches (self->factoring->realize, LS_ITER_COMM_REDUCE, loop->loop_var))
    ls_take (&fresh, ls_node_ref (((LsFor *) fresh)->body));
  if (node != ((LsSref *) self->factoring->loops->pdata[0])->stmt)
    return g_steal_pointer (&fresh);
  return ls_seq_stmt_new (ls_array_of (ls_ref (self->part_nest), g_steal_pointer (&fresh), NULL));
}

static void
note_lineage (LsMove    *move,
              Factoring *self,
              LsStmt    *nest)
{
  for (guint i = 0; i < self->loops->len; i++, nest = ((LsFor *) nest)->body)
    ls_move_note (move, LS_LINEAGE_COPIED, ls_state_sref (move->state, nest), self->loops->pdata[i]);
  for (guint i = 0; i < self->reducer.n; i++)
    ls_move_note_buffer (move, LS_LINEAGE_COPIED, self->parts[i], self->reducer.stores[i]->buffer);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *loop = ls_move_sref (move, LOOP);
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, loop);
  LsSref *block = blocks->pdata[0];
  LsSref *root = ls_state_scope_root (move->state, block);
  LsBlock *old_root = ls_sref_block (root);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsArray) buffers = ls_ref (old_root->alloc_buffers);
  g_autoptr(LsNode) body = NULL;
  g_autoptr(LsNode) nest = NULL;
  g_autoptr(LsBlockRealize) final = NULL;
  g_autoptr(LsBlock) with_body = NULL;
  g_autoptr(LsBlock) new_root = NULL;
  g_autoptr(LsBlockRealize) keep = ls_ref (ls_state_realize (move->state, block));
  Factoring self = { keep, ls_sref_for (loop), loops };
  gint64 axis = ls_move_int (move, FACTOR_AXIS);
  LsBlockRealize *part;
  LsBlock *part_made;
  LsSref *made;

  ls_reducer_find (&self.reducer, ls_sref_block (block));
  self.axis = (guint) (axis < 0 ? axis + 1 + (gint64) ls_buffer_ndim (self.reducer.stores[0]->buffer) : axis);
  make_parts (&self);
  part = part_block (&self);
  part_made = part->block;
  final = final_block (&self);
  nest = part_nest (&self, part);
  body = ls_rewrite_with (old_root->body, place, &(Placement) { &self, nest, final });
  for (guint i = 0; i < self.reducer.n; i++)
    ls_take (&buffers, ls_array_append (buffers, self.parts[i]));
  with_body = ls_block_with_body (old_root, body);
  new_root = ls_block_with_alloc_buffers (with_body, buffers);
  ls_block_reuse_add (reuse, old_root, new_root);
  ls_block_reuse_add (reuse, self.realize->block, final->block);
  ls_state_replace (move->state, root, new_root, reuse);
  made = ls_state_sref (move->state, part_made);
  made->affine_binding = made->region_cover = made->stage_pipeline = TRUE;
  block->affine_binding = block->region_cover = block->stage_pipeline = TRUE;
  ls_state_touch (move->state, block);
  note_lineage (move, &self, nest);
  ls_move_note (move, LS_LINEAGE_COPIED, made, block);
  ls_move_result (move, made);
  for (guint i = 0; i < self.reducer.n; i++)
    ls_unref (self.parts[i]);
  ls_unref (self.part_indices);
  ls_reducer_clear (&self.reducer);
  return TRUE;
}

const LsInstruction ls_instruction_rfactor = {
  .name = "rfactor",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .summary = LS_TEXT ("Makes a reduction in parts along a loop, and puts the parts together"),
  .condition = "Below the loop there is one block, a reduction with a known operation (+, *, min, max, argmax, argmin) that adds up "
               "over the loop. The loop is serial. No loop around the block is used by spatial and reduction variables "
               "together, and the block is the first in its outermost loop.",
  .source = "TVM v0.20 tir.Schedule.rfactor",
  .check = check,
  .apply = apply,
};
