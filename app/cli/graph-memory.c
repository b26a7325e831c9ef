/* graph-memory: see the header. */
#include "app/cli/graph-memory.h"

#include "app/cli/input.h"

#include "engine/base/json.h"

#include <stdio.h>

static const char *
name_of (LsGraph *graph,
         guint    at)
{
  LsGraphNode *node = ls_graph_node (graph, at);

  return node->name != NULL ? node->name : node->title;
}

void
ls_cli_graph_memory_text (const LsGraphMemory *self,
                          LsGraph             *graph)
{
  g_autofree char *peak = g_format_size_full ((guint64) self->peak_bytes, G_FORMAT_SIZE_IEC_UNITS), *fixed = g_format_size_full ((guint64) self->fixed_bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (self->calls->len == 0)
    {
      printf ("there are no calls\n");
      return;
    }
  printf ("peak %s at %s (call %u of %u); inputs and weights %s more\n", peak, name_of (graph, g_array_index (self->calls, guint, self->peak)), self->peak + 1, self->calls->len, fixed);
  if (self->plan_bytes > self->peak_bytes)
    {
      g_autofree char *plan = g_format_size_full ((guint64) self->plan_bytes, G_FORMAT_SIZE_IEC_UNITS);

      printf ("one storage in which each value gets the first gap has %s\n", plan);
    }
  if (self->n_unknown > 0)
    printf (self->n_unknown == 1 ? "the size of %u value is not known; it counts as nothing\n" : "the size of %u values is not known; they count as nothing\n", self->n_unknown);
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const LsGraphLifetime *life = &g_array_index (self->lifetimes, LsGraphLifetime, i);
      g_autofree char *size = life->bytes >= 0.0 ? g_format_size_full ((guint64) life->bytes, G_FORMAT_SIZE_IEC_UNITS) : g_strdup ("?");

      if (life->from <= self->peak && self->peak <= life->to)
        printf ("  %s %s, %s\n", name_of (graph, life->node), ls_graph_node (graph, life->node)->title, size);
    }
  printf ("\n");
  for (guint i = 0; i < self->calls->len; i++)
    {
      guint at = g_array_index (self->calls, guint, i);
      g_autofree char *size = g_format_size_full ((guint64) g_array_index (self->at, double, i), G_FORMAT_SIZE_IEC_UNITS);

      printf ("%4u  %-12s  %s %s\n", i + 1, size, name_of (graph, at), ls_graph_node (graph, at)->title);
    }
}

void
ls_cli_graph_memory_json (const LsGraphMemory *self,
                          LsGraph             *graph)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_double (builder, "fixed", self->fixed_bytes);
  ls_json_put_double (builder, "peak", self->peak_bytes);
  ls_json_put_double (builder, "plan", self->plan_bytes);
  ls_json_put_int (builder, "peak_call", self->peak);
  ls_json_put_int (builder, "unknown", self->n_unknown);
  ls_json_begin_array (builder, "values");
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const LsGraphLifetime *life = &g_array_index (self->lifetimes, LsGraphLifetime, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, name_of (graph, life->node));
      ls_json_put_int (builder, "from", life->from);
      ls_json_put_int (builder, "to", life->to);
      ls_json_put_double (builder, "offset", life->offset);
      ls_json_put_double (builder, "bytes", life->bytes);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "at");
  for (guint i = 0; i < self->at->len; i++)
    json_builder_add_double_value (builder, g_array_index (self->at, double, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}
