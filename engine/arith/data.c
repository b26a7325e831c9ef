/* data: see the header. */
#include "engine/arith/data.h"

#include "engine/arith/arith-private.h"

static LsWalk
look_for_data (LsNode   *node,
               gpointer  user_data)
{
  LsAnalyzer *self = user_data;

  if ((node->facts & LS_FACT_HAS_LOAD) != 0)
    return LS_WALK_STOP;
  if ((node->facts & self->data_bits) == 0)
    return LS_WALK_PRUNE;
  return g_hash_table_contains (self->data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_is_data (LsAnalyzer *self,
            LsExpr     *expr)
{
  if ((LS_NODE (expr)->facts & LS_FACT_HAS_LOAD) != 0)
    return TRUE;
  return (LS_NODE (expr)->facts & self->data_bits) != 0 && !ls_walk (expr, look_for_data, NULL, self);
}

void
ls_analyzer_note_let (LsAnalyzer *self,
                      LsVar      *var,
                      LsExpr     *value)
{
  if (ls_is_data (self, value))
    ls_analyzer_note_data (self, var);
}

void
ls_analyzer_note_data (LsAnalyzer *self,
                       LsVar      *var)
{
  if (ls_is_data (self, LS_EXPR (var)))
    return;
  ls_analyzer_forget (self);
  if (self->data == NULL)
    self->data = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  g_hash_table_add (self->data, ls_ref (var));
  self->data_bits |= LS_NODE (var)->facts & LS_FACTS_INSIDE;
}

static LsVar *
memory_of (LsAnalyzer *self,
           LsVar      *name)
{
  LsVar *memory = self->names != NULL ? g_hash_table_lookup (self->names, name) : NULL;

  return memory != NULL ? memory : name;
}

void
ls_analyzer_note_name (LsAnalyzer *self,
                       LsVar      *name,
                       LsVar      *memory)
{
  LsVar *root = memory_of (self, memory);

  if (root == name)
    return;
  if (self->names == NULL)
    self->names = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_hash_table_replace (self->names, ls_ref (name), ls_ref (root));
}

gboolean
ls_analyzer_is_one_memory (LsAnalyzer *self,
                           LsVar      *a,
                           LsVar      *b)
{
  return a == b || memory_of (self, a) == memory_of (self, b);
}
