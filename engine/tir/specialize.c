/* specialize: a function in which some variables have got values.
 *
 *     f (a, n): A = match_buffer (a, (n // 8, 8)), for i in range (n - 1)        n = 16
 *     f (a):    A = match_buffer (a, (2, 8)),      for i in range (15)
 *
 * Operators over something that changed are folded, those that did not change stay as they are.  A buffer changes where it is
 * defined: with its data, shape, strides and offset.  Memory whose variable has got an expression (an address within another
 * buffer) keeps its variable, which a LetStmt around the DeclBuffer binds.  Source of the concept: TVM's PrimFunc.specialize. */
#include "engine/tir/specialize.h"

typedef struct {
  GHashTable *values;           /* Var -> Expr */
  GHashTable *buffers;          /* Buffer -> Buffer, both owned */
} State;

static LsBuffer *
new_buffer (LsRewriter *self,
            LsBuffer   *buffer,
            State      *state)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);
  g_autoptr (LsNode) data = NULL, shape = NULL, strides = NULL, offset = NULL;
  LsBuffer *fresh;

  if (known != NULL)
    return ls_ref (known);
  data = ls_rewrite (self, buffer->data);
  shape = ls_rewrite_default (self, buffer->shape);
  strides = ls_rewrite_default (self, buffer->strides);
  offset = ls_rewrite (self, buffer->elem_offset);
  if (!ls_is_var (data))
    {
      ls_node_unref (data);
      data = LS_NODE (ls_ref (buffer->data));
    }
  if (data == LS_NODE (buffer->data) && shape == LS_NODE (buffer->shape) && strides == LS_NODE (buffer->strides) && offset == LS_NODE (buffer->elem_offset))
    fresh = ls_ref (buffer);
  else
    fresh = ls_buffer_new_full ((LsVar *) g_steal_pointer (&data), buffer->dtype, (LsArray *) g_steal_pointer (&shape), (LsArray *) g_steal_pointer (&strides),
                                (LsExpr *) g_steal_pointer (&offset), buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type,
                                ls_ref (buffer->axis_separators));
  g_hash_table_insert (state->buffers, ls_ref (buffer), ls_ref (fresh));
  return fresh;
}

/* The declaration, with a binding of the memory's variable where that has got an expression. */
static LsNode *
declared (LsRewriter   *self,
          LsDeclBuffer *op,
          State        *state)
{
  LsNode *value = g_hash_table_lookup (state->values, op->buffer->data);
  LsNode *fresh = ls_rewrite_default (self, op);

  if (value == NULL || ls_is_var (value))
    return fresh;
  return LS_NODE (ls_let_stmt_new (ls_ref (op->buffer->data), (LsExpr *) ls_node_ref (value), (LsStmt *) fresh));
}

static LsNode *
folded (LsRewriter *self,
        LsBinary   *op)
{
  g_autoptr (LsNode) a = ls_rewrite (self, op->a), b = ls_rewrite (self, op->b);

  if (a == LS_NODE (op->a) && b == LS_NODE (op->b))
    return LS_NODE (ls_ref (op));
  return LS_NODE (ls_binary (LS_NODE (op)->klass->kind, (LsExpr *) g_steal_pointer (&a), (LsExpr *) g_steal_pointer (&b)));
}

static LsNode *
filter (LsRewriter *self,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *value;

  if (ls_is (node, BUFFER))
    return LS_NODE (new_buffer (self, (LsBuffer *) node, state));
  if (ls_is_var (node))
    {
      value = g_hash_table_lookup (state->values, node);
      return ls_node_ref (value != NULL ? value : node);
    }
  if (ls_is (node, DECL_BUFFER))
    return declared (self, (LsDeclBuffer *) node, state);
  if (ls_kind_is_binary (node->klass->kind))
    return folded (self, (LsBinary *) node);
  if (ls_is (node, NOT))
    {
      g_autoptr (LsNode) a = ls_rewrite (self, ((LsNot *) node)->a);

      return a == LS_NODE (((LsNot *) node)->a) ? ls_node_ref (node) : LS_NODE (ls_not ((LsExpr *) g_steal_pointer (&a)));
    }
  return ls_rewrite_default (self, node);
}

LsPrimFunc *
ls_prim_func_specialize (LsPrimFunc *func,
                         GHashTable *values)
{
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  State state = { values, buffers };
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  GPtrArray *params = g_ptr_array_new (), *params_buffers = g_ptr_array_new ();
  gboolean changed = FALSE;
  LsPrimFunc *result;
  LsStmt *body;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsBuffer *fresh = buffer != NULL ? new_buffer (&rewriter, buffer, &state) : NULL;
      gboolean gone = g_hash_table_contains (values, func->params->items[i]);

      changed = changed || gone || fresh != buffer;
      if (gone)
        ls_unref (fresh);
      else
        {
          g_ptr_array_add (params, ls_node_ref (func->params->items[i]));
          g_ptr_array_add (params_buffers, fresh);
        }
    }
  body = (LsStmt *) ls_rewrite (&rewriter, func->body);
  result = ls_prim_func_new (ls_array_take_ptr_array (params), body, ls_ref (func->ret_type), ls_array_take_ptr_array (params_buffers), ls_ref (func->attrs));
  if (!changed && body == func->body)
    {
      ls_unref (result);
      return ls_ref (func);
    }
  return result;
}

/* ---- sizes by name ------------------------------------------------------------ */

typedef struct {
  GPtrArray  *sizes;
  GHashTable *values;
} Sizes;

static LsWalk
note_size (LsNode  *node,
           gpointer data)
{
  Sizes *self = data;
  const char *name = ls_is_var (node) ? ((LsVar *) node)->name : NULL;
  gsize length = name != NULL ? strlen (name) : 0;

  for (guint i = 0; name != NULL && !ls_dtype_is_handle (ls_dtype (node)) && i < self->sizes->len; i++)
    {
      const char *text = self->sizes->pdata[i];
      char *end;
      gint64 value;

      if (strncmp (text, name, length) != 0 || text[length] != '=')
        continue;
      value = g_ascii_strtoll (text + length + 1, &end, 10);
      if (end != text + length + 1 && *end == '\0')
        g_hash_table_insert (self->values, node, ls_const_int (ls_dtype (node), value));
    }
  return LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_prim_func_size (LsPrimFunc *func,
                   GPtrArray  *sizes)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Sizes self = { sizes, values };

  if (sizes == NULL || sizes->len == 0)
    return ls_ref (func);
  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      note_size (func->params->items[i], &self);
      for (guint k = 0; buffer != NULL && k < ls_array_n (buffer->shape); k++)
        ls_walk (buffer->shape->items[k], note_size, NULL, &self);
    }
  return g_hash_table_size (values) > 0 ? ls_prim_func_specialize (func, values) : ls_ref (func);
}
