/* InjectRollingBuffer: a buffer of which each round of a loop uses a window keeps what the windows share.
 *
 *     for o in range (2):                                      T.realize (B[0:6, ...])
 *         T.realize (B[o * 4:o * 4 + 6, ...])                  for o in range (2):
 *         T.attr (B, "rolling_buffer_scope", True)    ->           for i in range (6):
 *         for i in range (6):                                          if T.likely (o < 1 or i >= 2):
 *             B[o * 4 + i, ...] = ...                                      B[(o * 4 + i) % 6, ...] = ...
 *         ... B[o * 4 + j, ...] ...                                ... B[(o * 4 + j) % 6, ...] ...
 *
 * The axis of the outermost loop goes round; the realisation moves around that loop.  Along every axis that moves with a
 * loop, what the round before has computed is skipped.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#define KEY "rolling_buffer_scope"

typedef struct {
  LsBuffer  *buffer;            /* borrowed, as all here */
  guint      axis;              /* goes round */
  LsExpr    *extent;            /* of the window along it */
  LsVar    **vars;              /* per axis: the loop that moves the window, or NULL */
  gint64    *overlaps;          /* per axis: how many elements two windows share */
  LsStmt    *realize;           /* the new one, with an empty body; owned */
} Rolling;

typedef struct {
  GHashTable *realized;         /* LsBuffer -> LsBufferRealize, around the place */
  GHashTable *rolling;          /* LsBuffer -> Rolling; owned */
  GHashTable *hoisted;          /* LsVar of a loop -> GPtrArray of Rolling */
  GHashTable *attrs;            /* LsBuffer -> GPtrArray of LsAttrStmt that move along */
  GPtrArray  *loops;            /* LsFor around the place */
  LsAnalyzer *analyzer;
  GError     *error;
} State;

static void
rolling_free (gpointer data)
{
  Rolling *self = data;

  g_free (self->vars);
  g_free (self->overlaps);
  ls_unref (self->realize);
  g_free (self);
}

static void
fail (State      *state,
      LsBuffer   *buffer,
      const char *rule)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The rolling buffer `%s` %s"), buffer->name, ls_translate (rule));
}

/* How a window begins along an axis: at a number (no loop), a loop variable, or one times a number; half of it, say, where the
 * steps are fractions.  FALSE: in no such way. */
static gboolean
how_it_moves (LsExpr  *min,
              LsVar  **var,
              gint64  *step)
{
  gint64 number;

  *var = NULL;
  *step = 0;
  if (ls_is (min, FLOOR_DIV) && ls_as_int (((LsBinary *) min)->b, &number))
    min = ((LsBinary *) min)->a;
  if (ls_as_int (min, &number))
    return TRUE;
  *step = 1;
  if (ls_is (min, MUL))
    {
      if (!ls_as_int (((LsBinary *) min)->b, step))
        return FALSE;
      min = ((LsBinary *) min)->a;
    }
  *var = (LsVar *) min;
  return ls_is_var (min);
}

/* The outermost loop that moves the window, and its axis. */
static LsFor *
rolling_loop (State   *state,
              Rolling *rolling)
{
  for (guint i = 0; i < state->loops->len; i++)
    for (guint j = 0; j < rolling->buffer->shape->n; j++)
      if (rolling->vars[j] != NULL && rolling->vars[j] == ((LsFor *) state->loops->pdata[i])->loop_var)
        {
          rolling->axis = j;
          return state->loops->pdata[i];
        }
  return NULL;
}

static GPtrArray *
listed (GHashTable *table,
        gpointer    key)
{
  GPtrArray *list = g_hash_table_lookup (table, key);

  if (list == NULL)
    g_hash_table_insert (table, key, list = g_ptr_array_new ());
  return list;
}

static void
start_rolling (State    *state,
               LsBuffer *buffer)
{
  LsBufferRealize *realize = g_hash_table_lookup (state->realized, buffer);
  guint n = buffer->shape->n;
  Rolling *rolling;
  LsFor *loop;
  GPtrArray *bounds;

  if (realize == NULL || realize->bounds->n != n)
    {
      fail (state, buffer, LS_TEXT ("needs a T.realize around its T.attr."));
      return;
    }
  rolling = g_new0 (Rolling, 1);
  rolling->buffer = buffer;
  rolling->vars = g_new0 (LsVar *, n);
  rolling->overlaps = g_new0 (gint64, n);
  g_hash_table_insert (state->rolling, buffer, rolling);
  for (guint i = 0; i < n; i++)
    {
      LsRange *bound = ls_array_at (realize->bounds, i, LsRange);
      gint64 step, extent;

      if (!how_it_moves (bound->min, &rolling->vars[i], &step) || (rolling->vars[i] != NULL && !ls_as_int (bound->extent, &extent)))
        {
          fail (state, buffer, LS_TEXT ("begins each window at a number, a loop variable, or one times a number, and has windows of constant size."));
          return;
        }
      rolling->overlaps[i] = rolling->vars[i] != NULL ? extent - step : 0;
    }
  loop = rolling_loop (state, rolling);
  if (loop == NULL)
    {
      fail (state, buffer, LS_TEXT ("has to be moved by a loop around it: no rolling axis was found."));
      return;
    }
  rolling->extent = ls_array_at (realize->bounds, rolling->axis, LsRange)->extent;
  bounds = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      LsExpr *extent = i == rolling->axis ? rolling->extent : ls_array_at (buffer->shape, i, LsExpr);

      g_ptr_array_add (bounds, ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent)));
    }
  rolling->realize = ls_buffer_realize_new (ls_ref (buffer), ls_array_take_ptr_array (bounds), ls_ref (realize->condition), ls_evaluate_zero ());
  g_ptr_array_add (listed (state->hoisted, loop->loop_var), rolling);
}

static LsNode *
visit_attr (LsRewriter *rewriter,
            LsAttrStmt *attr,
            State      *state)
{
  LsBuffer *buffer = (LsBuffer *) attr->subject;
  g_autoptr (LsNode) result = NULL;
  gint64 asked;

  if (!ls_is (buffer, BUFFER))
    return ls_rewrite_default (rewriter, LS_NODE (attr));
  if (!g_str_equal (attr->attr_key, KEY))
    g_ptr_array_add (listed (state->attrs, buffer), attr);
  else if (ls_as_int (attr->value, &asked) && asked != 0)
    start_rolling (state, buffer);
  result = ls_rewrite_default (rewriter, LS_NODE (attr));
  if (g_hash_table_contains (state->rolling, buffer))    /* also where the T.attr that says so stands inside */
    return ls_node_ref (LS_NODE (((LsAttrStmt *) result)->body));
  return g_steal_pointer (&result);
}

static LsNode *
visit_realize (LsRewriter      *rewriter,
               LsBufferRealize *realize,
               State           *state)
{
  g_autoptr (LsNode) result = NULL;

  g_hash_table_insert (state->realized, realize->buffer, realize);
  result = ls_rewrite_default (rewriter, LS_NODE (realize));
  if (g_hash_table_contains (state->rolling, realize->buffer))
    return ls_node_ref (LS_NODE (((LsBufferRealize *) result)->body));
  return g_steal_pointer (&result);
}

static LsNode *
visit_for (LsRewriter *rewriter,
           LsFor      *loop,
           State      *state)
{
  LsStmt *result;
  GPtrArray *hoisted;

  g_ptr_array_add (state->loops, loop);
  result = (LsStmt *) ls_rewrite_default (rewriter, LS_NODE (loop));
  g_ptr_array_set_size (state->loops, state->loops->len - 1);
  hoisted = g_hash_table_lookup (state->hoisted, loop->loop_var);
  for (guint i = 0; hoisted != NULL && i < hoisted->len; i++)
    {
      Rolling *rolling = hoisted->pdata[i];
      LsBufferRealize *realize = (LsBufferRealize *) rolling->realize;
      GPtrArray *attrs = g_hash_table_lookup (state->attrs, rolling->buffer);

      result = ls_buffer_realize_new (ls_ref (realize->buffer), ls_ref (realize->bounds), ls_ref (realize->condition), result);
      for (guint j = 0; attrs != NULL && j < attrs->len; j++)
        {
          LsAttrStmt *attr = attrs->pdata[j];

          result = ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, ls_ref (attr->value), result);
        }
    }
  return LS_NODE (result);
}

static LsArray *
round_indices (Rolling *rolling,
               LsArray *indices)
{
  g_autoptr (LsExpr) index = ls_floormod (ls_ref (ls_array_at (indices, rolling->axis, LsExpr)), ls_ref (rolling->extent));

  return ls_array_with (indices, rolling->axis, index);
}

/* The store only where the round before has not computed the element. Takes it. */
static LsStmt *
once (State   *state,
      Rolling *rolling,
      LsArray *indices,
      LsStmt  *store)
{
  for (guint i = 0; i < indices->n; i++)
    {
      LsVar *var = rolling->vars[i];
      g_autoptr (LsExpr) zero = NULL;
      g_autoptr (LsExpr) within = NULL;
      LsExpr *is_new;

      if (var == NULL || rolling->overlaps[i] <= 0)
        continue;
      zero = ls_const_int (ls_dtype (var), 0);
      within = (LsExpr *) ls_substitute_one (indices->items[i], var, zero);
      ls_take (&within, ls_analyzer_simplify (state->analyzer, within));
      is_new = ls_or (ls_lt (LS_EXPR (ls_ref (var)), ls_const_int (ls_dtype (var), 1)),
                      ls_ge (ls_ref (within), ls_const_int (ls_dtype (within), rolling->overlaps[i])));
      store = ls_if_then_else_new (ls_call_op ("tir.likely", LS_BOOL, ls_array_of (is_new, NULL)), store, NULL);
    }
  return store;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;
  Rolling *rolling;

  if (state->error != NULL)
    return ls_node_ref (node);
  if (ls_is (node, FOR))
    return visit_for (rewriter, (LsFor *) node, state);
  if (ls_is (node, ATTR_STMT))
    return visit_attr (rewriter, (LsAttrStmt *) node, state);
  if (ls_is (node, BUFFER_REALIZE))
    return visit_realize (rewriter, (LsBufferRealize *) node, state);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, BUFFER_STORE))
    {
      g_autoptr (LsNode) kept = result;
      LsBufferStore *store = (LsBufferStore *) kept;
      LsStmt *round;

      rolling = g_hash_table_lookup (state->rolling, store->buffer);
      if (rolling == NULL || rolling->realize == NULL)
        return g_steal_pointer (&kept);
      round = ls_node_set_span (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value), round_indices (rolling, store->indices),
                                                     ls_ref (store->predicate)), store->node.span);
      return LS_NODE (once (state, rolling, store->indices, round));
    }
  if (ls_is (result, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) result;

      rolling = g_hash_table_lookup (state->rolling, load->buffer);
      if (rolling != NULL && rolling->realize != NULL)
        ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), round_indices (rolling, load->indices), ls_ref (load->predicate))));
    }
  return result;
}

LsPrimFunc *
ls_pass_inject_rolling_buffer (LsPrimFunc  *func,
                               GError     **error)
{
  g_autoptr (GHashTable) realized = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) rolling = g_hash_table_new_full (NULL, NULL, NULL, rolling_free);
  g_autoptr (GHashTable) hoisted = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) attrs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { realized, rolling, hoisted, attrs, loops, analyzer, NULL };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);
  g_autoptr (LsNode) unique = NULL;

  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  if (g_hash_table_size (rolling) == 0)
    return ls_ref (func);
  unique = LS_NODE (ls_stmt_convert_ssa ((LsStmt *) body));
  return ls_pass_with_body (func, unique);
}
