/* memory: see the header. */
#include "engine/graph/memory.h"

#include <string.h>

/* Bytes of "(1, 128) float32"; -1: an extent is no number, or it is no tensor. */
static double
bytes_of_type (const char *type)
{
  const char *end = type != NULL && type[0] == '(' ? strchr (type, ')') : NULL;
  double n = 1.0;
  LsDType dtype;

  if (end == NULL || end[1] != ' ' || !ls_dtype_parse (end + 2, &dtype))
    return -1.0;
  for (const char *at = type + 1; at < end;)
    {
      char *after;
      guint64 extent = g_ascii_strtoull (at, &after, 10);

      if (after == at || (*after != ',' && *after != ')'))
        return -1.0;
      n *= (double) extent;
      at = after + 1 + strspn (after + 1, " ");
    }
  return n * ls_dtype_bytes (dtype);
}

/* The first gap for the value `at` among those before it that are there at the same time. */
static double
first_gap (GArray *lifetimes,
           GArray *there,       /* of guint: earlier values that may still be there, by offset */
           guint   at)
{
  const LsGraphLifetime *life = &g_array_index (lifetimes, LsGraphLifetime, at);
  double offset = 0.0;

  for (guint i = 0; i < there->len; i++)
    {
      const LsGraphLifetime *other = &g_array_index (lifetimes, LsGraphLifetime, g_array_index (there, guint, i));

      if (other->offset - offset >= life->bytes)
        break;
      offset = MAX (offset, other->offset + other->bytes);
    }
  return offset;
}

static void
place_values (LsGraphMemory *self)
{
  g_autoptr (GArray) there = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint at = 0; at < self->lifetimes->len; at++)
    {
      LsGraphLifetime *life = &g_array_index (self->lifetimes, LsGraphLifetime, at);
      guint place = 0;

      for (guint i = there->len; i-- > 0;)
        if (g_array_index (self->lifetimes, LsGraphLifetime, g_array_index (there, guint, i)).to < life->from)
          g_array_remove_index (there, i);
      if (life->bytes <= 0.0)
        continue;
      life->offset = first_gap (self->lifetimes, there, at);
      while (place < there->len && g_array_index (self->lifetimes, LsGraphLifetime, g_array_index (there, guint, place)).offset < life->offset)
        place++;
      g_array_insert_val (there, place, at);
      self->plan_bytes = MAX (self->plan_bytes, life->offset + life->bytes);
    }
}

LsGraphMemory *
ls_graph_memory_new (LsGraph *graph)
{
  LsGraphMemory *self = g_new0 (LsGraphMemory, 1);
  g_autoptr (LsGraphSide) users = ls_graph_side (graph, TRUE);
  g_autofree guint *place = g_new0 (guint, graph->nodes->len + 1);
  g_autofree double *change = NULL;
  double now = 0.0;
  guint n;

  self->lifetimes = g_array_new (FALSE, FALSE, sizeof (LsGraphLifetime));
  self->calls = g_array_new (FALSE, FALSE, sizeof (guint));
  self->at = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      double bytes = bytes_of_type (node->type);

      place[i] = self->calls->len;
      if (node->kind == LS_GRAPH_NODE_CALL)
        g_array_append_val (self->calls, i);
      else if (node->kind == LS_GRAPH_NODE_VALUE || node->kind == LS_GRAPH_NODE_CONSTANT)
        self->fixed_bytes += MAX (bytes, 0.0);
    }
  n = self->calls->len;
  change = g_new0 (double, n + 2);
  for (guint k = 0; k < n; k++)
    {
      guint at = g_array_index (self->calls, guint, k);
      LsGraphLifetime life = { at, k, k, bytes_of_type (ls_graph_node (graph, at)->type), 0.0 };

      for (guint i = users->start[at]; i < users->start[at + 1]; i++)
        {
          guint user = ls_graph_edge (graph, users->edges[i])->to;

          life.to = MAX (life.to, ls_graph_node (graph, user)->kind == LS_GRAPH_NODE_CALL ? place[user] : n);
        }
      g_array_append_val (self->lifetimes, life);
      self->n_unknown += life.bytes < 0.0;
      change[life.from] += MAX (life.bytes, 0.0);
      change[life.to + 1] -= MAX (life.bytes, 0.0);
    }
  for (guint k = 0; k < n; k++)
    {
      now += change[k];
      g_array_append_val (self->at, now);
      if (now > self->peak_bytes)
        {
          self->peak_bytes = now;
          self->peak = k;
        }
    }
  place_values (self);
  return self;
}

void
ls_graph_memory_free (LsGraphMemory *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lifetimes);
  g_array_unref (self->calls);
  g_array_unref (self->at);
  g_free (self);
}
