/* index-dtype: one integer type for all indices of a function.
 *
 * Buffers get shapes, loops and block variables of the type; expressions in places of indices are rewritten down to
 * their constants, values only where they use variables that have changed: operands of different widths are
 * then cast to the wider one.  In conditions both sides of a comparison of integers count as indices.  Source of the
 * rules: TVM v0.20's IndexDataTypeNormalizer.
 */
#include "engine/te/te-private.h"

typedef struct {
  LsDType     dtype;
  GHashTable *map;              /* LsVar or LsBuffer -> its replacement, referenced */
  gboolean    is_index;         /* constants are indices here */
  gboolean    is_condition;
} Normalizer;

static LsNode *
visit (LsRewriter *rewriter,
       Normalizer *self,
       gpointer    node,
       gboolean    is_index,
       gboolean    is_condition)
{
  gboolean old_index = self->is_index;
  gboolean old_condition = self->is_condition;
  LsNode *result;

  self->is_index = is_index;
  self->is_condition = is_condition;
  result = ls_rewrite (rewriter, node);
  self->is_index = old_index;
  self->is_condition = old_condition;
  return result;
}

static LsVar *
map_var (Normalizer *self,
         LsVar      *var)
{
  LsVar *fresh = g_hash_table_lookup (self->map, var);

  if (fresh != NULL)
    return fresh;
  if (!ls_dtype_is_index (ls_dtype (var)) || ls_dtype_equal (ls_dtype (var), self->dtype))
    return var;
  fresh = ls_is (var, SIZE_VAR) ? ls_size_var_new (var->name, self->dtype) : ls_var_new (var->name, self->dtype);
  g_hash_table_insert (self->map, var, fresh);
  return fresh;
}

static LsBuffer *
map_buffer (LsRewriter *rewriter,
            Normalizer *self,
            LsBuffer   *buffer)
{
  LsBuffer *fresh = g_hash_table_lookup (self->map, buffer);
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) strides = NULL;
  g_autoptr (LsExpr) offset = NULL;

  if (fresh != NULL)
    return fresh;
  if (buffer->shape->n == 0 && ls_is (buffer->elem_offset, INT_IMM))
    return buffer;
  shape = (LsArray *) visit (rewriter, self, buffer->shape, TRUE, FALSE);
  strides = (LsArray *) visit (rewriter, self, buffer->strides, TRUE, FALSE);
  offset = (LsExpr *) visit (rewriter, self, buffer->elem_offset, TRUE, FALSE);
  if (shape == buffer->shape && strides == buffer->strides && offset == buffer->elem_offset)
    return buffer;
  fresh = ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, g_steal_pointer (&shape), g_steal_pointer (&strides), g_steal_pointer (&offset),
                              buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
  g_hash_table_insert (self->map, buffer, fresh);
  return fresh;
}

static LsNode *
binary (LsRewriter *rewriter,
        Normalizer *self,
        LsBinary   *node)
{
  LsKind kind = ls_kind (node);
  gboolean is_index = self->is_index;
  LsExpr *a, *b;

  if (ls_kind_is_compare (kind))
    is_index = self->is_condition && ls_dtype_is_int (ls_dtype (node->a)) && ls_dtype_is_int (ls_dtype (node->b));
  a = (LsExpr *) visit (rewriter, self, node->a, is_index, self->is_condition);
  b = (LsExpr *) visit (rewriter, self, node->b, is_index, self->is_condition);
  if (a == node->a && b == node->b)
    {
      ls_unref (a);
      ls_unref (b);
      return LS_NODE (ls_ref (node));
    }
  if (ls_dtype_is_index (ls_dtype (a)) && ls_dtype_is_index (ls_dtype (b)) && ls_dtype (a).bits != ls_dtype (b).bits)
    ls_match_types (&a, &b);
  return LS_NODE (ls_binary_new (kind, a, b));
}

static LsNode *
choice (LsRewriter *rewriter,
        Normalizer *self,
        LsExpr     *condition,
        LsExpr     *x,
        LsExpr     *y,
        gboolean    is_call)
{
  LsExpr *c = (LsExpr *) visit (rewriter, self, condition, self->is_index, TRUE);
  LsExpr *a = (LsExpr *) visit (rewriter, self, x, self->is_index, self->is_condition);
  LsExpr *b = (LsExpr *) visit (rewriter, self, y, self->is_index, self->is_condition);

  if (ls_dtype_is_index (ls_dtype (a)) && ls_dtype_is_index (ls_dtype (b)) && ls_dtype (a).bits != ls_dtype (b).bits)
    ls_match_types (&a, &b);
  if (is_call)
    return LS_NODE (ls_call_op ("tir.if_then_else", ls_dtype (a), ls_array_of (c, a, b, NULL)));
  return LS_NODE (ls_select_new (c, a, b));
}

/* A call whose type is that of its operands follows them. */
static LsNode *
call (LsRewriter *rewriter,
      Normalizer *self,
      LsCall     *node)
{
  g_autoptr (LsArray) args = NULL;
  LsExpr *a, *b;

  if (ls_is_call (node, "tir.if_then_else"))
    return choice (rewriter, self, ls_array_at (node->args, 0, LsExpr), ls_array_at (node->args, 1, LsExpr), ls_array_at (node->args, 2, LsExpr), TRUE);
  args = (LsArray *) ls_rewrite (rewriter, node->args);
  if (args == node->args)
    return LS_NODE (ls_ref (node));
  if (args->n == 0 || !ls_dtype_is_index (node->expr.dtype) || !ls_dtype_is_index (ls_dtype (node->args->items[0])))
    return LS_NODE (ls_call_new (node->expr.dtype, ls_ref (node->op), g_steal_pointer (&args)));
  if (args->n == 2 && ls_dtype_is_index (ls_dtype (args->items[1])))
    {
      a = ls_ref (ls_array_at (args, 0, LsExpr));
      b = ls_ref (ls_array_at (args, 1, LsExpr));
      ls_match_types (&a, &b);
      ls_take (&args, ls_array_of (a, b, NULL));
    }
  {
    LsDType dtype = ls_dtype (args->items[0]);

    return LS_NODE (ls_call_new (dtype, ls_ref (node->op), g_steal_pointer (&args)));
  }
}

static LsNode *
loop (LsRewriter *rewriter,
      Normalizer *self,
      LsFor      *node)
{
  LsVar *var = map_var (self, node->loop_var);
  LsExpr *min = (LsExpr *) visit (rewriter, self, node->min, TRUE, FALSE);
  LsExpr *extent = (LsExpr *) visit (rewriter, self, node->extent, TRUE, FALSE);
  LsStmt *body = ls_rewrite (rewriter, node->body);

  return LS_NODE (ls_for_new (ls_ref (var), ls_cast (ls_dtype (var), min), ls_cast (ls_dtype (var), extent), (LsForKind) node->kind, body,
                              ls_ref (node->thread_binding), ls_ref (node->annotations)));
}

static LsNode *
iter_var (LsRewriter *rewriter,
          Normalizer *self,
          LsIterVar  *node)
{
  LsVar *var = map_var (self, node->var);
  LsExpr *min = (LsExpr *) visit (rewriter, self, node->dom->min, TRUE, FALSE);
  LsExpr *extent = (LsExpr *) visit (rewriter, self, node->dom->extent, TRUE, FALSE);

  return LS_NODE (ls_iter_var_new (ls_range_new (ls_cast (ls_dtype (var), min), ls_cast (ls_dtype (var), extent)), ls_ref (var),
                                   (LsIterType) node->iter_type, node->thread_tag));
}

/* A thread of a kernel that somebody wrote: what the extent is of, its variable is of too. */
static LsNode *
thread (LsRewriter *rewriter,
        Normalizer *self,
        LsAttrStmt *node)
{
  LsIterVar *axis = (LsIterVar *) node->subject;
  LsVar *var = map_var (self, axis->var);
  LsExpr *extent = (LsExpr *) visit (rewriter, self, node->value, TRUE, FALSE);
  LsIterVar *fresh = axis->dom != NULL ? (LsIterVar *) iter_var (rewriter, self, axis)
                     : ls_iter_var_new (NULL, ls_ref (var), (LsIterType) axis->iter_type, axis->thread_tag);

  return LS_NODE (ls_attr_stmt_new (fresh, node->attr_key, ls_cast (ls_dtype (var), extent), ls_rewrite (rewriter, node->body)));
}

/* A number with a name is one that indices may be made of. */
static LsNode *
let_stmt (LsRewriter *rewriter,
          Normalizer *self,
          LsLetStmt  *node)
{
  LsVar *var = map_var (self, node->var);
  LsExpr *value = (LsExpr *) visit (rewriter, self, node->value, var != node->var, FALSE);

  return LS_NODE (ls_let_stmt_new (ls_ref (var), var != node->var ? ls_cast (ls_dtype (var), value) : value, ls_rewrite (rewriter, node->body)));
}

/* A variable that nothing in the block uses (that of a scalar stage) keeps its type. */
static LsArray *
block_iter_vars (LsRewriter *rewriter,
                 Normalizer *self,
                 LsBlock    *node)
{
  GPtrArray *fresh = g_ptr_array_new ();

  for (guint i = 0; i < node->iter_vars->n; i++)
    {
      LsIterVar *old = ls_array_at (node->iter_vars, i, LsIterVar);
      gboolean used = ls_uses (node->body, old->var) || ls_uses (node->reads, old->var) || ls_uses (node->writes, old->var);

      g_ptr_array_add (fresh, used ? iter_var (rewriter, self, old) : ls_node_ref (LS_NODE (old)));
    }
  return ls_array_take_ptr_array (fresh);
}

static LsNode *
block (LsRewriter *rewriter,
       Normalizer *self,
       LsBlock    *node)
{
  LsArray *iter_vars = block_iter_vars (rewriter, self, node);
  LsMap *annotations = ls_ref (node->annotations);
  LsNode *layout_free = ls_map_get (node->annotations, "layout_free_placeholders");
  LsArray *allocs = (LsArray *) ls_rewrite (rewriter, node->alloc_buffers);
  LsArray *matches = (LsArray *) ls_rewrite (rewriter, node->match_buffers);
  LsArray *reads = (LsArray *) visit (rewriter, self, node->reads, TRUE, FALSE);
  LsArray *writes = (LsArray *) visit (rewriter, self, node->writes, TRUE, FALSE);
  LsStmt *init = node->init != NULL ? ls_rewrite (rewriter, node->init) : NULL;
  LsStmt *body = ls_rewrite (rewriter, node->body);

  if (layout_free != NULL)
    {
      g_autoptr (LsNode) mapped = ls_rewrite (rewriter, layout_free);

      ls_take (&annotations, ls_map_set (annotations, "layout_free_placeholders", mapped));
    }
  return LS_NODE (ls_block_new (iter_vars, reads, writes, node->name_hint, body, init, allocs, matches, annotations));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Normalizer *self = user_data;
  LsKind kind = ls_kind (node);

  if (ls_kind_is_binary (kind))
    return binary (rewriter, self, (LsBinary *) node);
  switch ((int) kind)
    {
    case LS_KIND_INT_IMM:
      if (self->is_index && ls_dtype_is_index (ls_dtype (node)))
        return LS_NODE (ls_int_imm_new (self->dtype, ((LsIntImm *) node)->value));
      return ls_ref (node);
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      if (self->is_index)
        return LS_NODE (ls_ref (map_var (self, (LsVar *) node)));
      return ls_ref (g_hash_table_contains (self->map, node) ? g_hash_table_lookup (self->map, node) : node);
    case LS_KIND_BUFFER:
      return LS_NODE (ls_ref (map_buffer (rewriter, self, (LsBuffer *) node)));
    case LS_KIND_SELECT:
      return choice (rewriter, self, ((LsSelect *) node)->condition, ((LsSelect *) node)->true_value, ((LsSelect *) node)->false_value, FALSE);
    case LS_KIND_CALL:
      return call (rewriter, self, (LsCall *) node);
    case LS_KIND_CAST:
      {
        LsCast *cast = (LsCast *) node;
        LsDType dtype = self->is_index && ls_dtype_is_index (cast->expr.dtype) ? self->dtype : cast->expr.dtype;

        LsExpr *value = (LsExpr *) visit (rewriter, self, cast->value, self->is_index && ls_dtype_is_index (ls_dtype (cast->value)), self->is_condition);

        /* Outside of indices a cast stays written, also where the value has come to be of its type. */
        return LS_NODE (self->is_index || !ls_dtype_equal (dtype, ls_dtype (value)) ? ls_cast (dtype, value) : ls_cast_new (dtype, value));
      }
    case LS_KIND_ATTR_STMT:
      if (ls_is (((LsAttrStmt *) node)->subject, ITER_VAR))
        return thread (rewriter, self, (LsAttrStmt *) node);
      return ls_rewrite_default (rewriter, node);
    case LS_KIND_LET_STMT:
      return let_stmt (rewriter, self, (LsLetStmt *) node);
    case LS_KIND_FOR:
      return loop (rewriter, self, (LsFor *) node);
    case LS_KIND_BLOCK:
      return block (rewriter, self, (LsBlock *) node);
    case LS_KIND_BLOCK_REALIZE:
      {
        LsBlockRealize *realize = (LsBlockRealize *) node;
        LsArray *values = (LsArray *) visit (rewriter, self, realize->iter_values, TRUE, FALSE);
        LsExpr *predicate = (LsExpr *) visit (rewriter, self, realize->predicate, FALSE, TRUE);

        return LS_NODE (ls_block_realize_new (values, predicate, (LsBlock *) ls_rewrite (rewriter, realize->block)));
      }
    case LS_KIND_BUFFER_LOAD:
      {
        LsBufferLoad *load = (LsBufferLoad *) node;
        LsBuffer *buffer = map_buffer (rewriter, self, load->buffer);
        LsExpr *fresh = ls_buffer_load_new (ls_ref (buffer), (LsArray *) visit (rewriter, self, load->indices, TRUE, FALSE), NULL);

        return LS_NODE (self->is_index && ls_dtype_is_index (ls_dtype (fresh)) ? ls_cast (self->dtype, fresh) : fresh);
      }
    case LS_KIND_BUFFER_STORE:
      {
        LsBufferStore *store = (LsBufferStore *) node;
        LsBuffer *buffer = map_buffer (rewriter, self, store->buffer);
        LsArray *indices = (LsArray *) visit (rewriter, self, store->indices, TRUE, FALSE);
        LsExpr *value = (LsExpr *) visit (rewriter, self, store->value, FALSE, FALSE);

        if (ls_dtype_is_index (ls_dtype (value)) && ls_dtype_is_index (ls_dtype (store->value)))
          value = ls_cast (ls_dtype (store->value), value);
        return LS_NODE (ls_buffer_store_new (ls_ref (buffer), value, indices, NULL));
      }
    case LS_KIND_IF_THEN_ELSE:
      {
        LsIfThenElse *branch = (LsIfThenElse *) node;
        LsExpr *condition = (LsExpr *) visit (rewriter, self, branch->condition, FALSE, TRUE);

        return LS_NODE (ls_if_then_else_new (condition, ls_rewrite (rewriter, branch->then_case),
                                             branch->else_case != NULL ? ls_rewrite (rewriter, branch->else_case) : NULL));
      }
    default:
      return ls_rewrite_default (rewriter, node);
    }
}

LsPrimFunc *
ls_te_with_index_dtype (LsPrimFunc *func,
                        LsDType     dtype)
{
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Normalizer self = { dtype, map, FALSE, FALSE };
  LsRewriter rewriter = { filter, &self, NULL, NULL };
  GPtrArray *params = g_ptr_array_new ();
  GPtrArray *buffers = g_ptr_array_new ();
  LsStmt *body;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      g_ptr_array_add (buffers, buffer != NULL ? ls_ref (map_buffer (&rewriter, &self, buffer)) : NULL);
    }
  body = ls_rewrite (&rewriter, func->body);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsVar *param = ls_array_at (func->params, i, LsVar);

      g_ptr_array_add (params, ls_ref (g_hash_table_contains (map, param) ? g_hash_table_lookup (map, param) : param));
    }
  return ls_prim_func_new (ls_array_take_ptr_array (params), body, ls_ref (func->ret_type), ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
}
