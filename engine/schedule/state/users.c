/* users: which loops and blocks use a buffer.
 *
 * A loop or block has as its own what is in it down to the next loops and blocks: its bounds, regions, conditions,
 * statements, and the bindings of the blocks directly inside.  From the places that name a buffer, another one with the
 * same data, or the data itself, and from what is around them follows where a rewriting has to go; everything else stays
 * as it is, so that a step costs what it changes.  The lists are made when they are first asked for and brought up to date where a part of the program is
 * replaced.  The root block of a function is never passed by and has no list.
 */
#include "engine/schedule/state/state.h"

struct _LsUsers {
  GHashTable *of;               /* data (LsVar) -> GHashTable (set) of LsSref */
};

void
ls_users_free (LsUsers *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->of);
  g_free (self);
}

/* ---- what is a place's own ------------------------------------------------ */

static LsWalk
collect_expr (LsNode   *node,
              gpointer  user_data)
{
  GPtrArray *uses = user_data;
  LsNode *data = ls_is (node, BUFFER) ? LS_NODE (((LsBuffer *) node)->data) : node;

  if (ls_is_var (data) && ls_dtype_is_handle (ls_dtype (data)) && !g_ptr_array_find (uses, data, NULL))
    g_ptr_array_add (uses, data);
  return LS_WALK_CONTINUE;
}

static LsWalk
collect_stmt (LsNode   *node,
              gpointer  user_data)
{
  if (ls_is (node, FOR) || ls_is (node, BLOCK))
    return LS_WALK_PRUNE;
  return collect_expr (node, user_data);
}

static GPtrArray *
own_uses (LsNode *stmt)
{
  GPtrArray *uses = g_ptr_array_new ();
  LsStmt *body = ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body;
  guint n = ls_node_get_n_children (stmt);

  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (stmt, i);

      if (child != NULL)
        ls_walk (child, child == body ? collect_stmt : collect_expr, NULL, uses);
    }
  return uses;
}

/* ---- upkeep --------------------------------------------------------------- */

void
ls_users_forget (LsState *state,
                 LsSref  *sref)
{
  for (guint i = 0; state->users != NULL && sref->uses != NULL && i < sref->uses->len; i++)
    {
      GHashTable *users = g_hash_table_lookup (state->users->of, sref->uses->pdata[i]);

      if (users != NULL)
        g_hash_table_remove (users, sref);
    }
  g_clear_pointer (&sref->uses, g_ptr_array_unref);
}

void
ls_users_update (LsState *state,
                 LsSref  *sref)
{
  if (state->users == NULL)
    return;
  ls_users_forget (state, sref);
  if (sref->parent == NULL && sref->is_block)
    return;
  sref->uses = own_uses (sref->stmt);
  for (guint i = 0; i < sref->uses->len; i++)
    {
      GHashTable *users = g_hash_table_lookup (state->users->of, sref->uses->pdata[i]);

      if (users == NULL)
        {
          users = g_hash_table_new (NULL, NULL);
          g_hash_table_insert (state->users->of, sref->uses->pdata[i], users);
        }
      g_hash_table_add (users, sref);
    }
}

static void
make_users (LsState *self)
{
  self->users = g_new0 (LsUsers, 1);
  self->users->of = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  ls_ptr_map_foreach (&self->by_stmt, slot)
    ls_users_update (self, slot->value);
}

/* ---- where to go ---------------------------------------------------------- */

/* What is in an init has no place; where it is entered, all of it is. */
static LsWalk
enter_init (LsNode   *node,
            gpointer  entered)
{
  if (ls_is (node, FOR) || ls_is (node, BLOCK))
    g_hash_table_add (entered, node);
  return ls_is_expr (node) || ls_is (node, BUFFER_STORE) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

void
ls_entered_add (GHashTable *entered,
                LsSref     *sref)
{
  for (LsSref *p = sref; p != NULL && g_hash_table_add (entered, p->stmt); p = p->parent)
    if (p->is_block && ls_sref_block (p)->init != NULL)
      ls_walk (ls_sref_block (p)->init, enter_init, NULL, entered);
}

static void
enter_users (LsState    *self,
             GHashTable *entered,
             gpointer    used)
{
  GHashTable *users = g_hash_table_lookup (self->users->of, used);
  GHashTableIter iter;
  gpointer sref;

  if (users == NULL)
    return;
  g_hash_table_iter_init (&iter, users);
  while (g_hash_table_iter_next (&iter, &sref, NULL))
    ls_entered_add (entered, sref);
}

GHashTable *
ls_state_entered (LsState   *self,
                  LsSref    *root,
                  LsSref    *place,
                  LsBuffer **buffers,
                  guint      n)
{
  GHashTable *entered = g_hash_table_new (NULL, NULL);

  if (self->users == NULL && n > 0)
    make_users (self);
  ls_entered_add (entered, root);
  ls_entered_add (entered, place);
  for (guint i = 0; i < n; i++)
    enter_users (self, entered, buffers[i]->data);
  return entered;
}

gboolean
ls_rebuild_passes_by (LsNode     *stmt,
                      GHashTable *entered)
{
  if (entered == NULL)
    return FALSE;
  if (ls_is (stmt, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) stmt;

      return !g_hash_table_contains (entered, realize->block) &&
             !((LS_NODE (realize->predicate)->facts | LS_NODE (realize->iter_values)->facts) & (LS_FACT_HAS_LOAD | LS_FACT_HAS_CALL));
    }
  return (ls_is (stmt, FOR) || ls_is (stmt, BLOCK)) && !g_hash_table_contains (entered, stmt);
}
