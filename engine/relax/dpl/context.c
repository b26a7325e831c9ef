/* context: how the patterns of a graph stand to each other. */
#include "engine/relax/dpl/dpl-private.h"

LsPatternPart *
ls_pattern_context_part (LsPatternContext *self,
                         LsPattern        *pattern)
{
  LsPatternPart *part = g_hash_table_lookup (self->parts, pattern);

  if (part != NULL)
    return part;
  part = g_new0 (LsPatternPart, 1);
  part->pattern = ls_node_ref (pattern);
  part->edges = g_array_new (FALSE, FALSE, sizeof (LsPatternEdge));
  g_hash_table_insert (self->parts, pattern, part);
  g_ptr_array_add (self->all, part);
  return part;
}

static void
part_free (gpointer data)
{
  LsPatternPart *part = data;

  g_array_unref (part->edges);
  ls_node_unref (part->pattern);
  g_free (part);
}

LsPatternContext *
ls_pattern_context_new (LsPatternContext *from)
{
  LsPatternContext *self = g_new0 (LsPatternContext, 1);

  self->parts = g_hash_table_new (NULL, NULL);
  self->all = g_ptr_array_new_with_free_func (part_free);
  self->sources = g_ptr_array_new ();
  self->constraints = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; from != NULL && i < from->sources->len; i++)
    {
      LsPatternPart *source = from->sources->pdata[i];

      for (guint j = 0; j < source->edges->len; j++)
        {
          LsPatternEdge *edge = &g_array_index (source->edges, LsPatternEdge, j);

          ls_pattern_context_use (self, source->pattern, edge->to->pattern, edge->only, edge->index);
        }
    }
  for (guint i = 0; from != NULL && i < from->constraints->len; i++)
    ls_pattern_context_add (self, from->constraints->pdata[i]);
  return self;
}

void
ls_pattern_context_free (LsPatternContext *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->constraints);
  g_ptr_array_unref (self->sources);
  g_hash_table_unref (self->parts);
  g_ptr_array_unref (self->all);
  g_free (self);
}

void
ls_pattern_context_use (LsPatternContext *self,
                        LsPattern        *producer,
                        LsPattern        *consumer,
                        gboolean          only,
                        int               index)
{
  LsPatternPart *from = ls_pattern_context_part (self, producer), *to = ls_pattern_context_part (self, consumer);
  LsPatternEdge edge = { to, only, index };

  for (guint i = 0; to->has_producer && i < from->edges->len; i++)
    {
      LsPatternEdge *known = &g_array_index (from->edges, LsPatternEdge, i);

      if (known->to == to && known->only == only && known->index == index)
        return;
    }
  if (from->edges->len == 0)
    g_ptr_array_add (self->sources, from);
  g_array_append_val (from->edges, edge);
  to->has_producer = TRUE;
}

void
ls_pattern_context_add (LsPatternContext *self,
                        LsNode           *constraint)
{
  g_ptr_array_add (self->constraints, ls_node_ref (constraint));
}
