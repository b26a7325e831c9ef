/* padding: what fills the elements of a buffer that a new layout adds.
 *
 * Nobody writes the buffer: a block before everything assumes the values.  The loops that write it, and do nothing else,
 * go over all its elements in order: they go over the new ones, and write the padding where there is no old element.  Otherwise: a block
 * after the last write fills the padding.  Source of these rules: TVM v0.20's transform_layout.
 */
#include "engine/schedule/rewrite/rewrite.h"

void
ls_padding_clear (LsPadding *self)
{
  ls_unref (self->nest);
  g_clear_pointer (&self->loops, g_hash_table_unref);
}

/* ---- where the buffer is written ----------------------------------------------- */

/* One store. */
typedef struct {
  LsBufferStore  *store;        /* borrowed, all of them */
  LsBlockRealize *realize;      /* innermost, or NULL */
  GPtrArray      *loops;        /* of LsFor: from the first to the last that the indices depend on */
  gboolean        goes_over_all;
} Write;

static void
write_free (gpointer data)
{
  Write *self = data;

  g_ptr_array_unref (self->loops);
  g_free (self);
}

typedef struct {
  LsBuffer       *buffer;
  GPtrArray      *writes;       /* of Write */
  GPtrArray      *loops;        /* of LsFor: around the place */
  GHashTable     *values;       /* block variable -> value over the loops (owned) */
  LsBlockRealize *realize;
  guint           outside;      /* loops outside the block around `realize`: those are not its own */
  guint           around;       /* loops outside `realize` */
} Collector;

/* Numbers of the first and last loop that an expression depends on; FALSE: none. */
static gboolean
loop_range (Collector *self,
            gpointer   expr,
            guint     *first,
            guint     *last)
{
  g_autoptr(LsNode) open = ls_substitute (expr, self->values);
  gboolean found = FALSE;

  for (guint i = 0; i < self->loops->len; i++)
    {
      if (!ls_uses (open, ((LsFor *) self->loops->pdata[i])->loop_var))
        continue;
      if (!found)
        *first = i;
      *last = i;
      found = TRUE;
    }
  return found;
}

static gboolean
goes_over_all (Collector     *self,
               LsBufferStore *store,
               GPtrArray     *loops)
{
  if (loops->len == 0 || loops->len != ls_buffer_ndim (self->buffer) || loops->len != ls_array_n (store->indices))
    return FALSE;
  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = loops->pdata[i];
      g_autoptr(LsNode) index = ls_substitute (store->indices->items[i], self->values);

      if (index != LS_NODE (loop->loop_var) || !ls_is_zero (loop->min) || loop->kind != LS_FOR_SERIAL ||
          !ls_deep_equal (loop->extent, self->buffer->shape->items[i]) ||
          (i + 1 < loops->len && LS_NODE (loop->body) != loops->pdata[i + 1]))
        return FALSE;
    }
  return TRUE;
}

static void
note_write (Collector     *self,
            LsBufferStore *store)
{
  Write *write = g_new0 (Write, 1);
  guint first, last;

  write->store = store;
  write->realize = self->realize;
  write->loops = g_ptr_array_new ();
  if (loop_range (self, store->indices, &first, &last))
    for (guint i = first; i <= last; i++)
      g_ptr_array_add (write->loops, self->loops->pdata[i]);
  write->goes_over_all = goes_over_all (self, store, write->loops) && first >= self->outside;
  g_ptr_array_add (self->writes, write);
}

static void collect (Collector *self, LsNode *node);

static void
collect_children (Collector *self,
                  LsNode    *node)
{
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is (child, ARRAY)))
        collect (self, child);
    }
}

static void
collect_realize (Collector      *self,
                 LsBlockRealize *realize)
{
  LsBlockRealize *outer = self->realize;
  guint outside = self->outside, around = self->around;
  guint first, last;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (loop_range (self, realize->iter_values->items[i], &first, &last))
      g_hash_table_insert (self->values, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var,
                           ls_substitute (realize->iter_values->items[i], self->values));
  self->realize = realize;
  self->outside = around;
  self->around = self->loops->len;
  collect_children (self, LS_NODE (realize->block));
  self->realize = outer;
  self->outside = outside;
  self->around = around;
}

static void
collect (Collector *self,
         LsNode    *node)
{
  if (ls_is (node, BUFFER_STORE))
    {
      if (((LsBufferStore *) node)->buffer == self->buffer)
        note_write (self, (LsBufferStore *) node);
      return;
    }
  if (ls_is (node, BLOCK_REALIZE))
    {
      collect_realize (self, (LsBlockRealize *) node);
      return;
    }
  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  collect_children (self, node);
  if (ls_is (node, FOR))
    g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

/* ---- new nests ------------------------------------------------------------------- */

/* A block over all elements of the new buffer. */
typedef struct {
  LsIndexMap *inverse;          /* own variables: the loops */
  LsExpr     *predicate;        /* over them */
  LsArray    *vars;             /* block variables */
  LsArray    *iter_vars;
} Frame;

static void
frame_clear (Frame *self)
{
  ls_unref (self->inverse);
  ls_unref (self->predicate);
  ls_unref (self->vars);
  ls_unref (self->iter_vars);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frame, frame_clear)

static void
frame_init (Frame      *self,
            LsBuffer   *to,
            LsIndexMap *inverse,
            LsExpr     *predicate)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  GPtrArray *vars = g_ptr_array_new ();
  GPtrArray *iter_vars = g_ptr_array_new ();

  self->inverse = ls_index_map_rename (inverse, NULL, NULL);
  for (guint i = 0; i < ls_array_n (inverse->initial_indices); i++)
    {
      LsVar *loop_var = ls_array_at (self->inverse->initial_indices, i, LsVar);
      LsExpr *size = ls_array_at (to->shape, i, LsExpr);
      g_autofree char *name = g_strconcat ("v_", loop_var->name, NULL);
      LsVar *var = ls_var_new (name, ls_dtype (loop_var));

      g_hash_table_insert (map, inverse->initial_indices->items[i], loop_var);
      g_ptr_array_add (vars, ls_ref (var));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size)), var, LS_ITER_DATA_PAR, NULL));
    }
  self->predicate = (LsExpr *) ls_substitute (predicate, map);
  self->vars = ls_array_take_ptr_array (vars);
  self->iter_vars = ls_array_take_ptr_array (iter_vars);
}

/* Takes body. */
static LsStmt *
frame_nest (Frame    *self,
            LsBuffer *to,
            LsStmt   *body)
{
  for (guint i = ls_array_n (self->inverse->initial_indices); i-- > 0;)
    {
      LsVar *var = ls_array_at (self->inverse->initial_indices, i, LsVar);

      body = LS_STMT (ls_for_new (ls_ref (var), ls_const_int (ls_dtype (var), 0), ls_ref (ls_array_at (to->shape, i, LsExpr)),
                                  LS_FOR_SERIAL, body, NULL, NULL));
    }
  return body;
}

/* The predicate over the block's variables. (transfer full) */
static LsExpr *
frame_inner_predicate (Frame *self)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->vars->n; i++)
    g_hash_table_insert (map, self->inverse->initial_indices->items[i], self->vars->items[i]);
  return (LsExpr *) ls_substitute (self->predicate, map);
}

static LsExpr *
value_at (LsIndexMap *pad_value,
          LsArray    *indices)
{
  g_autoptr(LsArray) values = ls_index_map_map_indices (pad_value, indices, NULL);

  return ls_ref (ls_array_at (values, 0, LsExpr));
}

static LsStmt *
assumptions (LsBuffer   *to,
             LsIndexMap *inverse,
             LsExpr     *predicate,
             LsIndexMap *pad_value)
{
  g_auto(Frame) frame;
  g_autofree char *name = g_strdup_printf ("buffer_%s_assumptions", to->name);
  LsExpr *known;
  LsStmt *body;

  frame_init (&frame, to, inverse, predicate);
  known = ls_or (ls_not (frame_inner_predicate (&frame)),
                 ls_eq (ls_buffer_load_new (ls_ref (to), ls_ref (frame.vars), NULL), value_at (pad_value, frame.vars)));
  body = ls_evaluate_new (ls_call_op ("tir.assume", LS_BOOL, ls_array_of (known, NULL)));
  body = LS_STMT (ls_block_realize_new (ls_ref (frame.inverse->initial_indices), ls_bool (TRUE),
                                        ls_block_new (ls_ref (frame.iter_vars), ls_array_of (ls_buffer_region_point (ls_ref (to), ls_ref (frame.vars)), NULL),
                                                      NULL, name, body, NULL, NULL, NULL, NULL)));
  return frame_nest (&frame, to, body);
}

static LsStmt *
filling (LsBuffer   *to,
         LsIndexMap *inverse,
         LsExpr     *predicate,
         LsIndexMap *pad_value)
{
  g_auto(Frame) frame;
  g_autofree char *name = g_strdup_printf ("buffer_%s_padding", to->name);
  LsStmt *body;

  frame_init (&frame, to, inverse, predicate);
  body = ls_buffer_store_new (ls_ref (to), value_at (pad_value, frame.vars), ls_ref (frame.vars), NULL);
  body = LS_STMT (ls_block_realize_new (ls_ref (frame.inverse->initial_indices), ls_ref (frame.predicate),
                                        ls_block_new (ls_ref (frame.iter_vars), NULL,
                                                      ls_array_of (ls_buffer_region_point (ls_ref (to), ls_ref (frame.vars)), NULL), name,
                                                      body, NULL, NULL, NULL, NULL)));
  return frame_nest (&frame, to, body);
}

/* ---- loops that write the padding too ----------------------------------------------- */

typedef struct {
  Write        *write;
  LsBuffer     *to;
  LsIndexMap   *pad_value;
  LsBlockReuse *reuse;
  Frame         frame;
  GHashTable   *map;            /* old variable -> what stands for it (owned) */
  LsArray      *indices;        /* of the new buffer */
  LsExpr       *predicate;      /* in them */
  LsArray      *iter_vars;      /* of the innermost block */
  LsArray      *iter_values;
  gboolean      all_stores;     /* no other store was met */
} Replacer;

/* The first of the block's variables that index the buffer, when they do so in order and are spatial; -1: they do not. */
static gint
first_index_var (Write *write)
{
  LsArray *vars = write->realize->block->iter_vars;
  LsArray *indices = write->store->indices;
  guint n = ls_array_n (indices);
  guint start = 0;

  if (n == 0 || ls_array_n (vars) < n)
    return -1;
  while (start < vars->n - n && indices->items[0] != LS_NODE (ls_array_at (vars, start, LsIterVar)->var))
    start++;
  for (guint i = 0; i < n; i++)
    if (indices->items[i] != LS_NODE (ls_array_at (vars, start + i, LsIterVar)->var) ||
        ls_array_at (vars, start + i, LsIterVar)->iter_type != LS_ITER_DATA_PAR)
      return -1;
  return (gint) start;
}

/* New block variables for those that index the buffer. */
static void
renew_block_vars (Replacer *self,
                  guint     start)
{
  LsBlockRealize *realize = self->write->realize;
  guint n = ls_array_n (self->write->store->indices);
  g_autoptr(GHashTable) inner = g_hash_table_new (NULL, NULL);
  GPtrArray *vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      if (i == start)
        for (guint k = 0; k < self->frame.vars->n; k++)
          {
            g_ptr_array_add (vars, ls_node_ref (self->frame.iter_vars->items[k]));
            g_ptr_array_add (values, ls_node_ref (self->frame.inverse->initial_indices->items[k]));
            g_hash_table_insert (inner, self->frame.inverse->initial_indices->items[k], self->frame.vars->items[k]);
          }
      if (i >= start && i < start + n)
        continue;
      g_ptr_array_add (vars, ls_node_ref (realize->block->iter_vars->items[i]));
      g_ptr_array_add (values, ls_node_ref (realize->iter_values->items[i]));
    }
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (self->map, self->write->store->indices->items[i],
                         ls_substitute (self->frame.inverse->final_indices->items[i], inner));
  ls_take (&self->iter_vars, ls_array_take_ptr_array (vars));
  ls_take (&self->iter_values, ls_array_take_ptr_array (values));
  ls_take (&self->indices, ls_ref (self->frame.vars));
  ls_take (&self->predicate, frame_inner_predicate (&self->frame));
}

static gboolean
same_place (LsBufferStore *a,
            LsBufferStore *b)
{
  if (a->buffer != b->buffer || ls_array_n (a->indices) != ls_array_n (b->indices))
    return FALSE;
  for (guint i = 0; i < ls_array_n (a->indices); i++)
    if (!ls_deep_equal (a->indices->items[i], b->indices->items[i]))
      return FALSE;
  return TRUE;
}

static LsNode *
replace (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Replacer *self = user_data;
  LsNode *known = g_hash_table_lookup (self->map, node);
  LsNode *fresh;

  if (known != NULL)
    return ls_node_ref (known);
  if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) node;

      if (!same_place (self->write->store, store))
        {
          self->all_stores = FALSE;
          return ls_rewrite_default (rewriter, node);
        }
      return ls_buffer_store_new (ls_ref (self->to),
                                  ls_if_then_else (ls_ref (self->predicate), value_at (self->pad_value, self->indices),
                                                   (LsExpr *) ls_rewrite (rewriter, store->value)),
                                  ls_ref (self->indices), NULL);
    }
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (node, BLOCK) && fresh != node)
    ls_block_reuse_carry (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  if (node == LS_NODE (self->write->realize))
    {
      g_autoptr(LsBlockRealize) realize = (LsBlockRealize *) fresh;
      LsBlock *old = realize->block;
      LsBlock *block = ls_block_new (ls_ref (self->iter_vars), ls_ref (old->reads), ls_ref (old->writes), old->name_hint, ls_ref (old->body),
                                     ls_ref (old->init), ls_ref (old->alloc_buffers), ls_ref (old->match_buffers), ls_ref (old->annotations));

      ls_block_reuse_carry (self->reuse, old, block);
      return LS_NODE (ls_block_realize_new (ls_ref (self->iter_values), ls_ref (realize->predicate), block));
    }
  return fresh;
}

static void
replacer_clear (Replacer *self)
{
  frame_clear (&self->frame);
  g_hash_table_unref (self->map);
  ls_unref (self->indices);
  ls_unref (self->predicate);
  ls_unref (self->iter_vars);
  ls_unref (self->iter_values);
}

/* The nest over the new buffer that does what the loops of the write did; NULL when they store something else too, or
 * when the block has its variables in another order than the buffer its dimensions. */
static LsStmt *
written_nest (Write        *write,
              LsBuffer     *to,
              LsIndexMap   *inverse,
              LsExpr       *predicate,
              LsIndexMap   *pad_value,
              LsBlockReuse *reuse)
{
  Replacer self = { write, to, pad_value, reuse };
  gint start = write->realize != NULL ? first_index_var (write) : -1;
  LsStmt *body;

  if (write->realize != NULL && start < 0 && ls_array_n (write->realize->block->iter_vars) > 0)
    return NULL;
  frame_init (&self.frame, to, inverse, predicate);
  self.map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  self.indices = ls_ref (self.frame.inverse->initial_indices);
  self.predicate = ls_ref (self.frame.predicate);
  self.all_stores = TRUE;
  for (guint i = 0; i < write->loops->len; i++)
    g_hash_table_insert (self.map, ((LsFor *) write->loops->pdata[i])->loop_var, ls_node_ref (self.frame.inverse->final_indices->items[i]));
  if (write->realize != NULL)
    {
      self.iter_vars = ls_ref (write->realize->block->iter_vars);
      self.iter_values = ls_ref (write->realize->iter_values);
    }
  if (start >= 0)
    renew_block_vars (&self, (guint) start);
  body = ls_rewrite_with (((LsFor *) write->loops->pdata[write->loops->len - 1])->body, replace, &self);
  if (self.all_stores)
    body = frame_nest (&self.frame, to, body);
  else
    g_clear_pointer (&body, ls_node_unref);
  replacer_clear (&self);
  return body;
}

/* ---- the plan ------------------------------------------------------------------------ */

static void
plan_writes (LsPadding    *self,
             GPtrArray    *writes,
             LsBuffer     *to,
             LsIndexMap   *inverse,
             LsExpr       *predicate,
             LsIndexMap   *pad_value,
             LsBlockReuse *reuse)
{
  Write *last = writes->pdata[writes->len - 1];

  self->loops = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < writes->len; i++)
    {
      Write *write = writes->pdata[i];
      LsStmt *nest;

      if (!write->goes_over_all)
        continue;
      nest = written_nest (write, to, inverse, predicate, pad_value, reuse);
      if (nest != NULL)
        g_hash_table_insert (self->loops, write->loops->pdata[0], nest);
    }
  self->kind = g_hash_table_size (self->loops) > 0 ? LS_PADDING_WRITTEN : LS_PADDING_FILLED;
  if (self->kind == LS_PADDING_WRITTEN)
    return;
  self->nest = filling (to, inverse, predicate, pad_value);
  self->place = last->loops->len > 0 ? LS_NODE (last->loops->pdata[0]) : LS_NODE (last->realize);
}

void
ls_padding_plan (LsPadding    *self,
                 LsBlock      *scope,
                 LsBuffer     *from,
                 LsBuffer     *to,
                 LsIndexMap   *inverse,
                 LsExpr       *predicate,
                 LsIndexMap   *pad_value,
                 LsBlockReuse *reuse)
{
  g_autoptr(GPtrArray) writes = g_ptr_array_new_with_free_func (write_free);
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  g_autoptr(GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Collector collector = { from, writes, loops, values, NULL };

  *self = (LsPadding) { LS_PADDING_NONE };
  if (pad_value == NULL || ls_is_zero (predicate))
    return;
  collect_children (&collector, LS_NODE (scope));
  if (writes->len > 0)
    {
      plan_writes (self, writes, to, inverse, predicate, pad_value, reuse);
      return;
    }
  self->kind = LS_PADDING_ASSUMED;
  self->nest = assumptions (to, inverse, predicate, pad_value);
}
