/* names: the blocks of a function by their name.
 *
 * The first question goes through the function.  Whoever asks of the same function again (nothing was changed in between: it never
 * changes, a step makes another one) gets a table, so that a row of questions about a large program does not go through it each time.
 */
#include "engine/schedule/state/state.h"

#include <string.h>

#define QUESTIONS_BEFORE 2u     /* get_block asks twice */

typedef struct {
  const char *name;
  GPtrArray  *found;            /* of LsNode */
} Search;

static gboolean
match (LsNode         *stmt,
       LsBlockRealize *realize,
       gpointer        user_data)
{
  Search *self = user_data;

  if (ls_is (stmt, BLOCK) && strcmp (((LsBlock *) stmt)->name_hint, self->name) == 0)
    g_ptr_array_add (self->found, stmt);
  return ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, match, self);
}

static gboolean
enter (LsNode         *stmt,
       LsBlockRealize *realize,
       gpointer        user_data)
{
  GHashTable *names = user_data;
  GPtrArray *blocks;

  if (ls_is (stmt, BLOCK))
    {
      blocks = g_hash_table_lookup (names, ((LsBlock *) stmt)->name_hint);
      if (blocks == NULL)
        {
          blocks = g_ptr_array_new ();
          g_hash_table_insert (names, ((LsBlock *) stmt)->name_hint, blocks);
        }
      g_ptr_array_add (blocks, stmt);
    }
  return ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, enter, names);
}

GPtrArray *
ls_state_blocks_of_name (LsState    *self,
                         LsPrimFunc *func,
                         const char *name)
{
  GPtrArray *found = g_ptr_array_new (), *known;

  if (self->named != func)
    {
      ls_state_forget_names (self);
      self->named = ls_ref (func);
    }
  if (self->names == NULL && self->n_named++ < QUESTIONS_BEFORE)
    {
      ls_stmt_foreach_child (func->body, match, &(Search) { name, found });
    }
  else
    {
      if (self->names == NULL)
        {
          self->names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
          ls_stmt_foreach_child (func->body, enter, self->names);
        }
      known = g_hash_table_lookup (self->names, name);
      for (guint i = 0; known != NULL && i < known->len; i++)
        g_ptr_array_add (found, known->pdata[i]);
    }
  for (guint i = 0; i < found->len; i++)
    found->pdata[i] = ls_state_sref (self, found->pdata[i]);
  return found;
}
