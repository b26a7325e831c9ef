/* reducer: what a reduction block adds up with: +, *, min, max, or pairs such as argmax.
 *
 * A block stores f (old, new) where it stored before; each known f is a pattern over x (old) and y (new) with its
 * identity, the value of the init.  Pairs store two results at once, through lets.  The list of reducers and the forms
 * that a block may have are those of TVM v0.20's reducer registry.
 */
#include "engine/tir/reducer.h"

#include <float.h>

/* ---- identities -------------------------------------------------------------- */

static LsExpr *
number (LsDType dtype,
        gint64  value)
{
  return ls_dtype_is_float (dtype) ? ls_const_float (dtype, (double) value) : ls_const_int (dtype, value);
}

static LsExpr *
lowest (LsDType dtype)
{
  return ls_dtype_is_float (dtype) ? ls_const_float (dtype, -ls_dtype_float_max (dtype)) : ls_const_int (dtype, ls_dtype_int_min (dtype));
}

static LsExpr *
highest (LsDType dtype)
{
  return ls_dtype_is_float (dtype) ? ls_const_float (dtype, ls_dtype_float_max (dtype)) : ls_const_int (dtype, ls_dtype_int_max (dtype));
}

/* ---- the list ------------------------------------------------------------------ */

typedef enum { ADD, MUL, MIN_OF, MAX_OF, ADD_PAIR, ARGMAX, ARGMAX_LOW, ARGMIN, ARGMIN_LOW, N_REDUCERS } Known;

#define X(i) (LS_EXPR (ls_ref (self->x[i])))
#define Y(i) (LS_EXPR (ls_ref (self->y[i])))

/* The pair of an index and a value: that of x when `better`, else that of y. */
static void
make_choice (LsReducer *self,
             LsExpr    *index_from_x,
             LsExpr    *value_from_x,
             LsExpr    *identity)
{
  self->result[0] = ls_select_new (index_from_x, X (0), Y (0));
  self->result[1] = ls_select_new (value_from_x, X (1), Y (1));
  self->identity[0] = number (ls_dtype (self->x[0]), -1);
  self->identity[1] = identity;
}

/* x is better, or as good and its index is lower. */
static LsExpr *
better_or_lower (LsReducer *self,
                 LsKind     better)
{
  return ls_binary_new (LS_KIND_OR, ls_binary_new (better, X (1), Y (1)),
                        ls_binary_new (LS_KIND_AND, ls_binary_new (LS_KIND_EQ, X (1), Y (1)), ls_binary_new (LS_KIND_LT, X (0), Y (0))));
}

static void
reducer_make (LsReducer *self,
              Known      known)
{
  LsDType dtype = ls_dtype (self->x[0]);
  LsDType second = self->n > 1 ? ls_dtype (self->x[1]) : dtype;

  switch (known)
    {
    case ADD:
    case MUL:
      self->result[0] = ls_binary_new (known == ADD ? LS_KIND_ADD : LS_KIND_MUL, X (0), Y (0));
      self->identity[0] = number (dtype, known == ADD ? 0 : 1);
      break;
    case MIN_OF:
      self->result[0] = ls_binary_new (LS_KIND_MIN, X (0), Y (0));
      self->identity[0] = highest (dtype);
      break;
    case MAX_OF:
      self->result[0] = ls_binary_new (LS_KIND_MAX, X (0), Y (0));
      self->identity[0] = lowest (dtype);
      break;
    case ADD_PAIR:
      for (guint i = 0; i < 2; i++)
        {
          self->result[i] = ls_binary_new (LS_KIND_ADD, X (i), Y (i));
          self->identity[i] = number (ls_dtype (self->x[i]), 0);
        }
      break;
    case ARGMAX:
      make_choice (self, ls_binary_new (LS_KIND_GE, X (1), Y (1)), ls_binary_new (LS_KIND_GE, X (1), Y (1)), lowest (second));
      break;
    case ARGMAX_LOW:
      make_choice (self, better_or_lower (self, LS_KIND_GT), ls_binary_new (LS_KIND_GT, X (1), Y (1)), lowest (second));
      break;
    case ARGMIN:
      make_choice (self, ls_binary_new (LS_KIND_LE, X (1), Y (1)), ls_binary_new (LS_KIND_LE, X (1), Y (1)), highest (second));
      break;
    case ARGMIN_LOW:
      make_choice (self, better_or_lower (self, LS_KIND_LT), ls_binary_new (LS_KIND_LT, X (1), Y (1)), highest (second));
      break;
    case N_REDUCERS:
      break;
    }
}

#undef X
#undef Y

static guint
n_results (Known known)
{
  return known >= ADD_PAIR ? 2 : 1;
}

void
ls_reducer_clear (LsReducer *self)
{
  for (guint i = 0; i < LS_REDUCER_MAX; i++)
    {
      ls_take (&self->x[i], NULL);
      ls_take (&self->y[i], NULL);
      ls_take (&self->result[i], NULL);
      ls_take (&self->identity[i], NULL);
      ls_take (&self->added[i], NULL);
      ls_take (&self->values[i], NULL);
    }
  self->n = 0;
}

/* ---- the block's stores ---------------------------------------------------------- */

static LsBufferStore *
store_at (LsStmt *stmt,
          guint   i)
{
  LsNode *item = ls_is (stmt, SEQ_STMT) ? (i < ls_array_n (((LsSeqStmt *) stmt)->seq) ? ((LsSeqStmt *) stmt)->seq->items[i] : NULL)
                                        : i == 0 ? stmt : NULL;

  return ls_is (item, BUFFER_STORE) ? (LsBufferStore *) item : NULL;
}

static guint
n_stores (LsStmt *stmt)
{
  return ls_is (stmt, SEQ_STMT) ? ls_array_n (((LsSeqStmt *) stmt)->seq) : 1;
}

/* Which of the lets around the stores names `value`, or -1. */
static gint
index_of_let (LsStmt *body,
              LsExpr *value)
{
  for (gint i = 0; ls_is (body, LET_STMT); body = ((LsLetStmt *) body)->body, i++)
    if (((LsLetStmt *) body)->var == (LsVar *) value)
      return i;
  return -1;
}

static LsExpr *
value_of_let (LsStmt *body,
              gint    i)
{
  for (; i > 0; i--)
    body = ((LsLetStmt *) body)->body;
  return ((LsLetStmt *) body)->value;
}

/* The stores of the update in the order of the lets that name their values. */
static const char *
find_updates (LsReducer *self,
              LsBlock   *block)
{
  LsStmt *body = block->body;
  guint n_lets = 0;

  for (; ls_is (body, LET_STMT); body = ((LsLetStmt *) body)->body)
    n_lets++;
  self->n = n_stores (body);
  if (self->n > LS_REDUCER_MAX)
    return LS_TEXT ("stores more than two results");
  if ((n_lets > 0 || self->n > 1) && n_lets != self->n)
    return LS_TEXT ("does not store results that are each named by a let");
  for (guint i = 0; i < self->n; i++)
    {
      LsBufferStore *store = store_at (body, i);
      gint at = store == NULL || n_lets == 0 ? 0 : index_of_let (block->body, store->value);

      if (store == NULL)
        return LS_TEXT ("does more than store its results");
      if (at < 0 || self->stores[at] != NULL)
        return LS_TEXT ("does not store results that are each named by a let");
      self->stores[at] = store;
      self->values[at] = ls_ref (n_lets == 0 ? store->value : value_of_let (block->body, at));
    }
  return NULL;
}

/* The init value of each result. */
static const char *
find_inits (LsReducer *self,
            LsBlock   *block,
            LsExpr   **inits)
{
  if (n_stores (block->init) != self->n)
    return LS_TEXT ("does not start each result in its init");
  for (guint i = 0; i < self->n; i++)
    {
      inits[i] = NULL;
      for (guint k = 0; k < self->n; k++)
        {
          LsBufferStore *init = store_at (block->init, k);

          if (init == NULL)
            return LS_TEXT ("does more than store values in its init");
          if (init->buffer != self->stores[i]->buffer)
            continue;
          if (!ls_deep_equal (init->indices, self->stores[i]->indices))
            return LS_TEXT ("stores its results at different places");
          inits[i] = init->value;
        }
      if (inits[i] == NULL)
        return LS_TEXT ("does not start each result in its init");
    }
  return NULL;
}

static gboolean
same_shape (LsBufferStore *a,
            LsBufferStore *b)
{
  if (ls_array_n (a->indices) != ls_array_n (b->indices))
    return FALSE;
  for (guint i = 0; i < ls_array_n (a->indices); i++)
    if (!ls_deep_equal (a->indices->items[i], b->indices->items[i]) || !ls_deep_equal (a->buffer->shape->items[i], b->buffer->shape->items[i]))
      return FALSE;
  return TRUE;
}

/* ---- matching ---------------------------------------------------------------------- */

static gboolean
match (LsNode     *pattern,
       LsNode     *expr,
       GHashTable *found)
{
  LsNode *known;
  guint n;

  if (pattern == NULL || expr == NULL)
    return pattern == expr;
  if (ls_is_var (pattern))
    {
      known = g_hash_table_lookup (found, pattern);
      if (known != NULL)
        return ls_deep_equal (known, expr);
      g_hash_table_insert (found, pattern, expr);
      return ls_dtype_equal (ls_dtype (pattern), ls_dtype (expr));
    }
  n = ls_node_get_n_children (pattern);
  if (ls_kind (pattern) != ls_kind (expr) || ls_node_get_n_children (expr) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!match (ls_node_get_child (pattern, i), ls_node_get_child (expr, i), found))
      return FALSE;
  return TRUE;
}

/* Is x the old value and y what is added to it? */
static gboolean
fits (LsReducer *self,
      LsExpr   **inits)
{
  g_autoptr(GHashTable) found = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->n; i++)
    if (!ls_deep_equal (self->identity[i], inits[i]) || !match (LS_NODE (self->result[i]), LS_NODE (self->values[i]), found))
      return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      g_autoptr(LsExpr) old = ls_buffer_load_new (ls_ref (self->stores[i]->buffer), ls_ref (self->stores[i]->indices), NULL);
      LsExpr *x = g_hash_table_lookup (found, self->x[i]);
      LsExpr *y = g_hash_table_lookup (found, self->y[i]);

      if (x == NULL || y == NULL || !ls_deep_equal (x, old))
        return FALSE;
      ls_take (&self->added[i], ls_ref (y));
    }
  return TRUE;
}

static gboolean
find_known (LsReducer *self,
            LsExpr   **inits)
{
  for (Known known = 0; known < N_REDUCERS; known++)
    {
      if (n_results (known) != self->n)
        continue;
      for (guint i = 0; i < self->n; i++)
        {
          ls_take (&self->x[i], ls_var_new ("x", ls_dtype (inits[i])));
          ls_take (&self->y[i], ls_var_new ("y", ls_dtype (inits[i])));
          ls_take (&self->result[i], NULL);
          ls_take (&self->identity[i], NULL);
        }
      reducer_make (self, known);
      if (fits (self, inits))
        return TRUE;
    }
  return FALSE;
}

const char *
ls_reducer_find (LsReducer *self,
                 LsBlock   *block)
{
  LsExpr *inits[LS_REDUCER_MAX];
  const char *reason;

  *self = (LsReducer) { 0 };
  reason = find_updates (self, block);
  if (reason == NULL)
    reason = find_inits (self, block, inits);
  for (guint i = 1; reason == NULL && i < self->n; i++)
    if (!same_shape (self->stores[0], self->stores[i]))
      reason = LS_TEXT ("stores its results at different places");
  if (reason == NULL && !find_known (self, inits))
    reason = LS_TEXT ("does not add up with +, *, min, max or the choice of the best, starting from its neutral value");
  return reason;
}

LsExpr *
ls_reducer_combine (LsReducer *self,
                    guint      i,
                    LsExpr   **x,
                    LsExpr   **y)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint k = 0; k < self->n; k++)
    {
      g_hash_table_insert (map, self->x[k], x[k]);
      g_hash_table_insert (map, self->y[k], y[k]);
    }
  return (LsExpr *) ls_substitute (self->result[i], map);
}
