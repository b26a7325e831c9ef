/* thread-broadcast: blocks that use what the threads of a kernel reduced together.
 *
 *     for k in thread ("threadIdx.x"): temp[i] = temp[i] + A[i, k]            (reduced)
 *     B[i] = B[i] + temp[i]                                            ->     for tx in thread ("threadIdx.x"):
 *                                                                                 if tx == 0: B[i] = B[i] + temp[i]
 *
 * Each thread has the result, so each would run such a block: a race, and wrong where the block reads what it stores.  What is stored in the thread's own
 * memory all of them need.  Source of the concept: TVM's LowerCrossThreadReduction. */
#include "engine/tir/pass/thread-broadcast.h"

#include <string.h>

GHashTable *
ls_thread_results_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

void
ls_thread_results_add (GHashTable *self,
                       LsBuffer   *buffer,
                       GPtrArray  *loops)
{
  GPtrArray *bound = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < loops->len; i++)
    if (((LsFor *) loops->pdata[i])->thread_binding != NULL)
      g_ptr_array_add (bound, ls_node_ref (loops->pdata[i]));
  g_hash_table_insert (self, buffer, bound);
}

typedef struct {
  const char *tag;
  gboolean    found;
} Search;

static LsWalk
find_tag (LsNode   *node,
          gpointer  data)
{
  Search *search = data;
  LsIterVar *thread = ls_is (node, FOR) ? ((LsFor *) node)->thread_binding : NULL;

  search->found = search->found || (thread != NULL && strcmp (thread->thread_tag, search->tag) == 0);
  return search->found ? LS_WALK_STOP : ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* Does a loop around the block or in it say which thread? */
static gboolean
is_bound (LsBlockRealize *realize,
          GPtrArray      *around,
          const char     *tag)
{
  Search search = { tag, FALSE };

  for (guint i = 0; i < around->len; i++)
    {
      LsIterVar *thread = ls_is (around->pdata[i], FOR) ? ((LsFor *) around->pdata[i])->thread_binding : NULL;

      if (thread != NULL && strcmp (thread->thread_tag, tag) == 0)
        return TRUE;
    }
  ls_walk (realize->block->body, find_tag, NULL, &search);
  return search.found;
}

static gboolean
stores_for_itself (LsBlock *block)
{
  for (guint i = 0; i < block->writes->n; i++)
    if (strcmp (ls_buffer_scope (ls_array_at (block->writes, i, LsBufferRegion)->buffer), "local") == 0)
      return TRUE;
  return FALSE;
}

/* Adds a loop for each axis that is not there yet, by its tag. */
static void
add_free (GPtrArray      *free,
          GPtrArray      *bound,
          LsBlockRealize *realize,
          GPtrArray      *around)
{
  for (guint i = 0; i < bound->len; i++)
    {
      const char *tag = ((LsFor *) bound->pdata[i])->thread_binding->thread_tag;
      gboolean known = is_bound (realize, around, tag);

      for (guint k = 0; k < free->len; k++)
        known = known || strcmp (((LsFor *) free->pdata[k])->thread_binding->thread_tag, tag) == 0;
      if (!known)
        g_ptr_array_add (free, bound->pdata[i]);
    }
}

LsStmt *
ls_thread_results_broadcast (GHashTable     *self,
                             LsBlockRealize *lowered,
                             GPtrArray      *around)
{
  g_autoptr (GPtrArray) free = g_ptr_array_new ();
  LsBlock *block = lowered->block;
  LsExpr *predicate;
  LsStmt *result;
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();

  for (guint i = 0; i < block->reads->n && !stores_for_itself (block); i++)
    {
      GPtrArray *bound = g_hash_table_lookup (self, ls_array_at (block->reads, i, LsBufferRegion)->buffer);

      if (bound != NULL)
        add_free (free, bound, lowered, around);
    }
  if (free->len == 0)
    return (LsStmt *) ls_ref (lowered);
  predicate = ls_ref (lowered->predicate);
  for (guint i = free->len; i-- > 0;)
    {
      LsFor *loop = free->pdata[i];
      g_autofree char *name = g_strdup_printf ("t%s", strrchr (loop->thread_binding->thread_tag, '.') + 1);
      LsVar *var = ls_var_copy (loop->loop_var, name);

      g_ptr_array_insert (vars, 0, var);
      predicate = ls_and (ls_eq (LS_EXPR (ls_ref (var)), ls_const_int (ls_dtype (var), 0)), predicate);
    }
  result = (LsStmt *) ls_block_realize_new (ls_ref (lowered->iter_values), predicate, ls_ref (block));
  for (guint i = free->len; i-- > 0;)
    {
      LsFor *loop = free->pdata[i];
      LsIterVar *thread = ls_iter_var_new (NULL, ls_var_copy (loop->thread_binding->var, NULL), loop->thread_binding->iter_type, loop->thread_binding->thread_tag);

      result = (LsStmt *) ls_for_new (vars->pdata[i], ls_ref (loop->min), ls_ref (loop->extent), LS_FOR_THREAD_BINDING, result, thread, NULL);
    }
  return result;
}
