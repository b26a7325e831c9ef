/* flow-parts: blocks and edges that a reader puts into a flow. */
#include "engine/passlog/flow-private.h"

#include <string.h>

#define MOST_NAMES 4

LsPassBlock *
ls_pass_flow_add (LsPassFlow *self,
                  const char *label,
                  guint       line,
                  int         region)
{
  LsPassBlock *block = g_new0 (LsPassBlock, 1);

  *block = (LsPassBlock) { g_strdup (label), g_strdup (""), line, line, 0, region, 0, 0 };
  g_ptr_array_add (self->blocks, block);
  return block;
}

void
ls_pass_flow_join (LsPassFlow *self,
                   guint       from,
                   guint       to,
                   const char *label)
{
  LsPassFlowEdge *edge;

  for (guint i = 0; i < self->edges->len; i++)
    {
      edge = self->edges->pdata[i];
      if (edge->from == from && edge->to == to && (self->data || g_strcmp0 (edge->label, label) == 0))
        return;
    }
  edge = g_new0 (LsPassFlowEdge, 1);
  *edge = (LsPassFlowEdge) { from, to, g_strdup (label) };
  g_ptr_array_add (self->edges, edge);
}

void
ls_pass_flow_count (LsPassBlock *block,
                    const char  *name,
                    guint        line)
{
  g_auto (GStrv) names = g_strsplit (block->words, ", ", -1);
  guint n = g_strv_length (names);

  block->n++;
  block->last = MAX (block->last, line);
  if (!g_ascii_isalpha (*name) || g_strv_contains ((const char *const *) names, name) || n > MOST_NAMES)
    return;
  g_free (block->words);
  if (n == 0)
    block->words = g_strdup (name);
  else
    {
      g_autofree char *all = g_strjoinv (", ", names);

      block->words = g_strconcat (all, ", ", n == MOST_NAMES ? "\u2026" : name, NULL);
    }
}
