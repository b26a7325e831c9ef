/* distributed/compact: see the header.
 *
 *   A (128, 128), B (128, 128) cut at axis 1, C (128, 128) cut at axis 1, for i, j, k in T.grid (128, 128, 128)
 *     -> A (128, 128), B (128, 64), C (128, 64), for i, j, k in T.grid (128, 64, 128)
 *
 * Which axes belong together: tir-axes.h.  Source: TVM v0.20's DistributedBufferCompactor. */
#include "engine/relax/distributed/compact.h"

#include "engine/relax/distributed/tir-axes.h"
#include "engine/relax/pass/pass.h"
#include "engine/tir/renew.h"

#include <string.h>

typedef struct { LsBuffer *buffer; GHashTable *parts; } Cut;    /* parts: axis -> into how many */

typedef struct {
  GHashTable *cuts;             /* LsBuffer -> Cut */
  GHashTable *iters;            /* LsVar of an iteration -> into how many parts */
  GHashTable *loops;            /* LsVar of a loop -> the same */
  const char *reduce;
  GError     *error;
} Compact;

static void
compact_refuse (Compact    *self,
                const char *format,
                const char *name)
{
  if (self->error == NULL)
    self->error = g_error_new (LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_PROGRAM, ls_translate (format), name);
}

static void
free_cut (gpointer data)
{
  g_hash_table_unref (((Cut *) data)->parts);
  g_free (data);
}

static gint64
parts_of (GHashTable *table,
          gpointer    key)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (table, key));
}

/* ---- which buffers ------------------------------------------------------------------------- */

static void
cut (Compact      *self,
     LsBufferAxis  at,
     gint64        parts)
{
  Cut *known = g_hash_table_lookup (self->cuts, at.buffer);

  if (known == NULL)
    {
      known = g_new0 (Cut, 1);
      known->buffer = at.buffer;
      known->parts = g_hash_table_new (NULL, NULL);
      g_hash_table_insert (self->cuts, at.buffer, known);
    }
  g_hash_table_insert (known->parts, GUINT_TO_POINTER (at.axis), GINT_TO_POINTER ((gint) parts));
}

static void
spread (Compact             *self,
        LsTirAxes           *axes,
        LsBuffer            *buffer,
        LsDTensorStructInfo *info)
{
  LsArray *specs = ((LsPlacement *) info->placement)->dim_specs, *shape = ((LsDeviceMesh *) info->device_mesh)->shape;
  gint64 parts;

  for (guint i = 0; i < MIN (specs->n, shape->n); i++)
    {
      LsPlacementSpec *spec = ls_array_at (specs, i, LsPlacementSpec);
      g_autoptr (GArray) group = NULL;

      if (spec->kind != LS_PLACEMENT_SHARDING || spec->axis >= (gint64) buffer->shape->n || !ls_as_int (shape->items[i], &parts) || parts <= 0)
        continue;
      group = ls_tir_axes_group (axes, buffer, (guint) spec->axis);
      for (guint k = 0; k < group->len; k++)
        cut (self, g_array_index (group, LsBufferAxis, k), parts);
    }
}

/* ---- which loops ------------------------------------------------------------------------------ */

typedef struct { GArray *accesses; LsBuffer *reduced; const char *kind; } Look;
typedef struct { LsBuffer *buffer; LsArray *indices; } Access;

static gboolean
reads_reduced (Look   *self,
               LsExpr *e)
{
  return ls_is (e, BUFFER_LOAD) && ((LsBufferLoad *) e)->buffer == self->reduced;
}

static LsWalk
look (LsNode  *node,
      gpointer user_data)
{
  static const struct { LsKind kind; const char *name; } KINDS[] = { { LS_KIND_ADD, "sum" }, { LS_KIND_MUL, "prod" }, { LS_KIND_MIN, "min" }, { LS_KIND_MAX, "max" } };
  Look *self = user_data;
  Access access = { NULL, NULL };

  if (ls_is (node, BUFFER_STORE))
    access = (Access) { ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices };
  else if (ls_is (node, BUFFER_LOAD))
    access = (Access) { ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices };
  if (access.buffer != NULL)
    g_array_append_val (self->accesses, access);
  for (guint i = 0; self->reduced != NULL && i < G_N_ELEMENTS (KINDS); i++)
    if (ls_kind (node) == KINDS[i].kind && (reads_reduced (self, ((LsBinary *) node)->a) || reads_reduced (self, ((LsBinary *) node)->b)))
      self->kind = KINDS[i].name;
  return LS_WALK_CONTINUE;
}

static gboolean
divides (LsExpr *extent,
         gint64  parts)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsNode) claim = LS_NODE (ls_eq (ls_floormod (ls_ref (extent), ls_int_imm_new (ls_dtype (extent), parts)), ls_int_imm_new (ls_dtype (extent), 0)));

  return ls_analyzer_can_prove (analyzer, LS_EXPR (claim));
}

static void
cut_iter (Compact *self,
          LsBlock *block,
          LsVar   *var,
          gint64   parts)
{
  gint64 known = parts_of (self->iters, var);

  if (known != 0 && known != parts)
    compact_refuse (self, "The iterations of block %s would be shared out in two ways.", block->name_hint);
  g_hash_table_insert (self->iters, var, GINT_TO_POINTER ((gint) parts));
}

static void
cut_iters (Compact      *self,
           LsBlock      *block,
           const Access *access)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Cut *cuts = g_hash_table_lookup (self->cuts, access->buffer);

  for (guint i = 0; cuts != NULL && i < access->indices->n; i++)
    {
      gint64 parts = parts_of (cuts->parts, GUINT_TO_POINTER (i));
      LsVar *var = parts > 0 ? ls_sharding_var (LS_EXPR (access->indices->items[i]), block->iter_vars, analyzer) : NULL;

      if (var != NULL)
        cut_iter (self, block, var, parts);
    }
}

static void
check_iters (Compact *self,
             LsBlock *block,
             Look    *seen)
{
  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      gint64 parts = parts_of (self->iters, iter->var);

      if (parts == 0)
        continue;
      if (parts > 1 && (iter->dom == NULL || !ls_is_zero (iter->dom->min) || !divides (iter->dom->extent, parts)))
        compact_refuse (self, "The devices do not divide the iterations of block %s.", block->name_hint);
      if (iter->iter_type != LS_ITER_COMM_REDUCE)
        continue;
      if (seen->kind == NULL)
        compact_refuse (self, "How block %s reduces is not known.", block->name_hint);
      else if (self->reduce != NULL)
        compact_refuse (self, "Two blocks reduce over what was cut; the second is %s.", block->name_hint);
      else
        self->reduce = seen->kind;
      return;
    }
}

static void
look_at_block (Compact *self,
               LsBlock *block)
{
  g_autoptr (GArray) accesses = g_array_new (FALSE, FALSE, sizeof (Access));
  Look seen = { accesses, NULL, NULL };

  for (guint i = 0; i < block->iter_vars->n; i++)
    if (ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE && block->writes->n == 1)
      seen.reduced = ls_array_at (block->writes, 0, LsBufferRegion)->buffer;
  ls_walk (block->init, look, NULL, &seen);
  ls_walk (block->body, look, NULL, &seen);
  for (guint i = 0; block->iter_vars->n > 0 && i < accesses->len; i++)
    cut_iters (self, block, &g_array_index (accesses, Access, i));
  check_iters (self, block, &seen);
}

static void
look_at_realize (Compact        *self,
                 LsBlockRealize *realize)
{
  for (guint i = 0; i < MIN (realize->iter_values->n, realize->block->iter_vars->n); i++)
    {
      gint64 parts = parts_of (self->iters, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var);

      if (parts == 0)
        continue;
      if (!ls_is_var (realize->iter_values->items[i]))
        compact_refuse (self, "An iteration of block %s that is cut is no loop by itself.", realize->block->name_hint);
      else
        g_hash_table_insert (self->loops, realize->iter_values->items[i], GINT_TO_POINTER ((gint) parts));
    }
}

static LsWalk
go_on (LsNode  *node,
       gpointer user_data)
{
  return LS_WALK_CONTINUE;
}

/* Behind its parts: blocks before what realizes them, loops last. */
static void
leave (LsNode  *node,
       gpointer user_data)
{
  Compact *self = user_data;

  if (ls_is (node, BLOCK))
    look_at_block (self, (LsBlock *) node);
  else if (ls_is (node, BLOCK_REALIZE))
    look_at_realize (self, (LsBlockRealize *) node);
  else if (ls_is (node, FOR) && parts_of (self->loops, ((LsFor *) node)->loop_var) > 1
           && !divides (((LsFor *) node)->extent, parts_of (self->loops, ((LsFor *) node)->loop_var)))
    compact_refuse (self, "The devices do not divide the loop %s.", ((LsFor *) node)->loop_var->name);
}

/* ---- the program of one device ------------------------------------------------------------------ */

static LsExpr *
part (LsExpr *extent,
      gint64  parts)
{
  return parts > 0 ? ls_floordiv (ls_ref (extent), ls_int_imm_new (ls_dtype (extent), parts)) : ls_ref (extent);
}

static LsBuffer *
shorter (const Cut *cuts)
{
  LsBuffer *buffer = cuts->buffer;
  GPtrArray *shape = g_ptr_array_new ();

  for (guint i = 0; i < buffer->shape->n; i++)
    g_ptr_array_add (shape, part (LS_EXPR (buffer->shape->items[i]), parts_of (cuts->parts, GUINT_TO_POINTER (i))));
  return ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, ls_array_take_ptr_array (shape), ls_ref (buffer->strides), ls_ref (buffer->elem_offset),
                             buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
}

static LsNode *
shrink (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Compact *self = user_data;
  LsNode *fresh = ls_rewrite_default (rewriter, node);
  gint64 parts = ls_is (node, FOR) ? parts_of (self->loops, ((LsFor *) node)->loop_var) : ls_is (node, ITER_VAR)
                 ? parts_of (self->iters, ((LsIterVar *) node)->var) : 0;
  g_autoptr (LsNode) shorter_part = NULL;

  if (parts <= 1)
    return fresh;
  if (ls_is (node, FOR))
    {
      shorter_part = LS_NODE (part (((LsFor *) fresh)->extent, parts));
      ls_take (&fresh, ls_node_with_child (fresh, 2, shorter_part));
    }
  else if (((LsIterVar *) fresh)->dom != NULL)
    {
      LsRange *dom = ((LsIterVar *) fresh)->dom;

      shorter_part = LS_NODE (ls_range_new (ls_ref (dom->min), part (dom->extent, parts)));
      ls_take (&fresh, ls_node_with_child (fresh, 0, shorter_part));
    }
  return fresh;
}

static LsPrimFunc *
rebuilt (Compact    *self,
         LsPrimFunc *func)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) buffers = g_ptr_array_new ();
  g_autoptr (LsNode) body = NULL;
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->cuts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (table, key, shorter (value));
  for (guint i = 0; i < func->buffers->n; i++)
    {
      LsNode *fresh = func->buffers->items[i] != NULL ? g_hash_table_lookup (table, func->buffers->items[i]) : NULL;

      g_ptr_array_add (buffers, ls_node_ref (fresh != NULL ? fresh : func->buffers->items[i]));
    }
  body = ls_rewrite_with (func->body, shrink, self);
  return ls_prim_func_new (ls_ref (func->params), LS_NODE (ls_substitute (body, table)), ls_node_ref (func->ret_type),
                           ls_array_take_ptr_array (g_steal_pointer (&buffers)), ls_ref (func->attrs));
}

LsPrimFunc *
ls_prim_func_compact (LsPrimFunc   *func,
                      GPtrArray    *infos,
                      const char  **reduce,
                      GError      **error)
{
  g_autoptr (LsPrimFunc) own = ls_prim_func_renew_definitions (func);
  g_autoptr (LsTirAxes) axes = ls_tir_axes_new (own->body);
  g_autoptr (GHashTable) cuts = g_hash_table_new_full (NULL, NULL, NULL, free_cut), iters = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) loops = g_hash_table_new (NULL, NULL);
  Compact self = { cuts, iters, loops, NULL, NULL };
  guint next = 0;

  for (guint i = 0; i < own->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (own, i);

      if (buffer != NULL && next < infos->len)
        spread (&self, axes, buffer, infos->pdata[next++]);
    }
  ls_walk (own->body, go_on, leave, &self);
  *reduce = self.reduce;
  if (self.error == NULL)
    return rebuilt (&self, own);
  g_propagate_error (error, self.error);
  return NULL;
}
