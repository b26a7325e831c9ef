/* LiftThreadBinding: the loops of one thread axis become one, as far out as it encloses all of them.
 *
 *     for b in thread ("blockIdx.x"):                          for b in thread ("blockIdx.x"):
 *         for t in thread ("threadIdx.x"): X                       for t in thread ("threadIdx.x"):
 *         for u in thread ("threadIdx.x"): Y         ->                X; Y [u = t]
 *
 * A kernel begins at an outermost binding.  For each axis the innermost loop around all its bindings is found; the axis
 * stands right inside of it (around the body), axes at the same place in the order of their names, and the old loops
 * go.  Annotations of the bindings are collected.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

typedef struct {
  LsIterVar *axis;              /* owned: domain, variable and tag */
  LsMap     *annotations;       /* owned: of all its loops */
  GPtrArray *path;              /* loops around all bindings that were seen, the outermost first */
} Axis;

typedef struct {
  GPtrArray  *axes;             /* of Axis, by descending tag: the innermost first */
  GHashTable *replaced;         /* Var -> Var of the axis; values owned */
  GPtrArray  *stack;            /* loops around the place */
  gboolean    inside;           /* a kernel */
} State;

static void
axis_free (gpointer data)
{
  Axis *self = data;

  ls_unref (self->axis);
  ls_unref (self->annotations);
  g_ptr_array_unref (self->path);
  g_free (self);
}

static Axis *
find_axis (State      *state,
           const char *tag)
{
  for (guint i = 0; i < state->axes->len; i++)
    {
      Axis *axis = state->axes->pdata[i];

      if (strcmp (axis->axis->thread_tag, tag) == 0)
        return axis;
    }
  return NULL;
}

static void
add_axis (State *state,
          LsFor *loop)
{
  const char *tag = loop->thread_binding->thread_tag;
  Axis *axis = g_new0 (Axis, 1);

  axis->axis = ls_iter_var_new (ls_range_new (ls_ref (loop->min), ls_ref (loop->extent)), ls_var_copy (loop->loop_var, tag),
                                loop->thread_binding->iter_type, tag);
  axis->annotations = ls_ref (loop->annotations);
  axis->path = g_ptr_array_copy (state->stack, NULL, NULL);
  g_ptr_array_add (state->axes, axis);
}

static void
meet_binding (State *state,
              LsFor *loop)
{
  Axis *axis = find_axis (state, loop->thread_binding->thread_tag);
  guint n = 0;

  if (axis == NULL)
    {
      add_axis (state, loop);
      axis = state->axes->pdata[state->axes->len - 1];
    }
  else
    {
      for (guint i = 0; i < loop->annotations->n; i++)
        ls_take (&axis->annotations, ls_map_set (axis->annotations, loop->annotations->keys[i], loop->annotations->values[i]));
      while (n < axis->path->len && n < state->stack->len && axis->path->pdata[n] == state->stack->pdata[n])
        n++;
      g_ptr_array_set_size (axis->path, n);
    }
  g_hash_table_insert (state->replaced, loop->loop_var, ls_ref (axis->axis->var));
}

static gboolean
is_binding (LsNode *node)
{
  return ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_THREAD_BINDING && ((LsFor *) node)->thread_binding != NULL;
}

static LsWalk
enter (LsNode   *node,
       gpointer  user_data)
{
  State *state = user_data;

  if (ls_is (node, FOR))
    g_ptr_array_add (state->stack, node);
  return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
leave (LsNode   *node,
       gpointer  user_data)
{
  State *state = user_data;

  if (is_binding (node))
    meet_binding (state, (LsFor *) node);
  if (ls_is (node, FOR))
    g_ptr_array_set_size (state->stack, state->stack->len - 1);
}

static gint
compare_axes (gconstpointer a,
              gconstpointer b)
{
  return strcmp ((*(Axis *const *) b)->axis->thread_tag, (*(Axis *const *) a)->axis->thread_tag);
}

static LsStmt *
with_axes (State  *state,
           LsFor  *place,
           LsStmt *body)
{
  for (guint i = 0; i < state->axes->len; i++)
    {
      Axis *axis = state->axes->pdata[i];
      LsRange *dom = axis->axis->dom;

      if (axis->path->len > 0 && axis->path->pdata[axis->path->len - 1] == place)
        body = (LsStmt *) ls_for_new (ls_ref (axis->axis->var), ls_ref (dom->min), ls_ref (dom->extent), LS_FOR_THREAD_BINDING, body,
                                      ls_iter_var_new (NULL, ls_var_new (axis->axis->thread_tag, ls_dtype (axis->axis->var)), LS_ITER_THREAD_INDEX,
                                                       axis->axis->thread_tag),
                                      ls_ref (axis->annotations));
    }
  return body;
}

static LsNode *
lift (LsRewriter *rewriter,
      State      *state,
      LsFor      *loop)
{
  gboolean begins = !state->inside && is_binding (LS_NODE (loop));
  g_autoptr (LsFor) fresh = NULL;
  LsStmt *body;

  if (begins)
    {
      state->inside = TRUE;
      ls_walk (loop, enter, leave, state);
      g_ptr_array_sort (state->axes, compare_axes);
    }
  if (is_binding (LS_NODE (loop)))
    body = with_axes (state, loop, (LsStmt *) ls_rewrite (rewriter, loop->body));
  else
    {
      fresh = (LsFor *) ls_rewrite_default (rewriter, loop);
      body = with_axes (state, loop, ls_ref (fresh->body));
      if (body != fresh->body)
        ls_take (&fresh, ls_for_with_body (fresh, body));
      ls_unref (body);
    }
  if (begins)
    {
      state->inside = FALSE;
      g_ptr_array_set_size (state->axes, 0);
      g_hash_table_remove_all (state->replaced);
    }
  return fresh != NULL ? LS_NODE (g_steal_pointer (&fresh)) : LS_NODE (body);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  if (ls_is_var (node))
    {
      LsNode *other = g_hash_table_lookup (state->replaced, node);

      return ls_node_ref (other != NULL ? other : node);
    }
  return ls_is (node, FOR) ? lift (rewriter, state, (LsFor *) node) : ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_lift_thread_binding (LsPrimFunc  *func,
                             GError     **error)
{
  g_autoptr (GPtrArray) axes = g_ptr_array_new_with_free_func (axis_free);
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_autoptr (GHashTable) replaced = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { axes, replaced, stack, FALSE };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  return ls_pass_with_body (func, body);
}
