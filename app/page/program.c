/* Programs as data for the page: loops, graph, accesses, and the steps of a schedule with what each changed. */
#include "app/page/page.h"

#include "engine/base/json.h"
#include "engine/graph/fx.h"
#include "engine/graph/graph.h"
#include "engine/interp/access-order.h"
#include "engine/schedule/call/call.h"
#include "engine/schedule/lineage/text.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <string.h>

#define MOST_ACCESSES 1500u
#define MOST_NODES 400u
#define MOST_STEPS 60u
#define MOST_TEXT 60000u

static void
add_node (JsonBuilder *builder,
          const char  *name,
          JsonNode    *node)    /* (transfer full) or NULL */
{
  if (node == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_value (builder, node);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void
add_row (JsonBuilder    *builder,
         const LsEntity *entity)
{
  LsFor *loop = entity->type == LS_ENTITY_LOOP ? (LsFor *) entity->node : NULL;
  g_autofree char *extent = loop != NULL ? ls_script_print_expr (loop->extent) : NULL;
  g_autofree char *line = loop == NULL ? ls_graph_block_line ((LsBlock *) entity->node) : NULL;

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "d", entity->depth);
  ls_page_add_member (builder, "n", ls_entity_name (entity));
  if (extent != NULL)
    ls_page_add_member (builder, "e", extent);
  if (loop != NULL && loop->kind != LS_FOR_SERIAL)
    ls_page_add_member (builder, "k", loop->thread_binding != NULL ? loop->thread_binding->thread_tag : ls_for_kind_name ((LsForKind) loop->kind));
  if (line != NULL)
    ls_page_add_member (builder, "x", line);
  ls_json_put_int (builder, "f", loop != NULL && entity->n_families > 0 ? (gint64) entity->families[0] : -1);
  json_builder_end_object (builder);
}

JsonNode *
ls_page_nest (LsVersion *version)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);

      if (entity->type != LS_ENTITY_BUFFER && (entity->type != LS_ENTITY_BLOCK || entity->parent >= 0))
        add_row (builder, entity);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

/* ---- graph ----------------------------------------------------------------------------------- */

static JsonNode *
graph_data (LsGraph *graph)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "nodes");
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, i);

      json_builder_begin_object (builder);
      ls_page_add_member (builder, "t", node->title);
      ls_page_add_member (builder, "s", node->detail != NULL ? node->detail : node->type);
      ls_page_add_member (builder, "k", node->kind == LS_GRAPH_NODE_CALL ? "call" : "value");
      ls_json_put_int (builder, "g", node->cluster);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "edges");
  for (guint i = 0; i < graph->edges->len; i++)
    {
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, ls_graph_edge (graph, i)->from);
      json_builder_add_int_value (builder, ls_graph_edge (graph, i)->to);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "groups");
  for (guint i = 0; i < graph->clusters->len; i++)
    {
      json_builder_begin_object (builder);
      ls_page_add_member (builder, "t", ls_graph_cluster (graph, i)->title);
      ls_json_put_int (builder, "p", ls_graph_cluster (graph, i)->parent);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* NULL: there is nothing to draw. */
static JsonNode *
graph_of (LsModule *module)
{
  g_autoptr (LsGraph) graph = ls_graph_kind_for (module) == LS_GRAPH_RELAX ? ls_graph_from_relax (module, NULL) : ls_graph_from_stages (module, NULL);
  g_autoptr (LsGraph) few = graph->nodes->len > MOST_NODES ? ls_graph_fold_groups (graph, MOST_NODES, NULL) : ls_graph_ref (graph);

  return few->nodes->len > 0 ? graph_data (few) : NULL;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void
add_moment (JsonBuilder         *builder,
            const LsAccessOrder *order,
            guint                at)
{
  const LsAccessMoment *moment = &g_array_index (order->moments, LsAccessMoment, at);
  const LsAccessPlace *place = order->places->pdata[moment->place];
  g_autoptr (GString) text = g_string_new (place->block != NULL ? place->block : "");

  for (guint i = 0; i < place->n_loops; i++)
    g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, text->len > 0 ? ", " : "", place->loops[i], g_array_index (order->values, gint64, moment->first + i));
  json_builder_add_string_value (builder, text->str);
}

static void
add_access (JsonBuilder    *builder,
            const LsAccess *access)
{
  json_builder_add_int_value (builder, access->buffer);
  json_builder_add_int_value (builder, access->element);
  json_builder_add_int_value (builder, (access->is_write ? 1 : 0) + (access->is_new ? 2 : 0));
  json_builder_add_int_value (builder, access->moment);
}

static JsonNode *
accesses_data (const LsAccessOrder *order)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n = MIN (order->accesses->len, MOST_ACCESSES), moments = 0;

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "buffers");
  for (guint i = 0; i < order->buffers->len; i++)
    {
      const LsAccessBuffer *buffer = &g_array_index (order->buffers, LsAccessBuffer, i);

      json_builder_begin_object (builder);
      ls_page_add_member (builder, "t", buffer->name);
      ls_json_put_int (builder, "n", buffer->n);
      ls_json_begin_array (builder, "shape");
      for (guint d = 0; d < buffer->ndim; d++)
        json_builder_add_int_value (builder, buffer->shape[d]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "acc");
  for (guint i = 0; i < n; i++)
    {
      add_access (builder, &g_array_index (order->accesses, LsAccess, i));
      moments = MAX (moments, g_array_index (order->accesses, LsAccess, i).moment + 1);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "moments");
  for (guint i = 0; i < moments; i++)
    add_moment (builder, order, i);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* Of the only function; NULL where its order is not known. */
static JsonNode *
accesses_of (LsModule *module)
{
  g_autoptr (LsAccessOrder) order = NULL;
  LsNode *only = ls_array_n (module->functions) == 1 ? module->functions->items[0] : NULL;

  if (only == NULL || !ls_is (only, PRIM_FUNC))
    return NULL;
  order = ls_access_order_new ((LsPrimFunc *) only, MOST_ACCESSES, NULL, NULL);
  return order != NULL && order->accesses->len > 0 ? accesses_data (order) : NULL;
}

/* ---- one program ------------------------------------------------------------------------------ */

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("cell", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  if (module == NULL || !ls_diagnostics_has_error (findings))
    return module;
  ls_unref (module);
  return NULL;
}

static void
add_text (JsonBuilder *builder,
          const char  *name,
          const char  *text)
{
  g_autofree char *cut = strlen (text) > MOST_TEXT ? g_utf8_substring (text, 0, MOST_TEXT / 4) : NULL;
  g_autofree char *whole = cut != NULL ? g_strconcat (cut, "\n# …", NULL) : NULL;

  ls_page_add_member (builder, name, whole != NULL ? whole : text);
}

JsonNode *
ls_page_program (const char *text,
                 const char *whole,
                 const char *title,
                 const char *mark,
                 const char *view)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsModule *module = parse (whole != NULL ? whole : text);
  gboolean graph = g_strcmp0 (view, "graph") == 0;

  json_builder_begin_object (builder);
  add_text (builder, "text", text);
  ls_page_add_member (builder, "title", title);
  if (mark != NULL)
    ls_page_add_member (builder, "mark", mark);
  if (module != NULL)
    {
      LsVersion *version = ls_version_new (module);
      JsonNode *drawn = graph || ls_graph_kind_for (module) == LS_GRAPH_RELAX ? graph_of (module) : NULL;

      graph = graph && drawn != NULL;
      ls_page_add_member (builder, "first", g_strcmp0 (view, "loops") == 0 && mark == NULL ? "nest" : "text");
      add_node (builder, "nest", ls_page_nest (version));
      add_node (builder, "graph", drawn);
      if (g_strcmp0 (view, "accesses") == 0)
        add_node (builder, "accesses", accesses_of (module));
      ls_version_unref (version);
    }
  ls_page_add_member (builder, "kind", graph && module != NULL ? "graph" : "program");
  json_builder_end_object (builder);
  ls_unref (module);
  return json_builder_get_root (builder);
}

JsonNode *
ls_page_fx (const char *fx,
            const char *text)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) read = ls_fx_graph_parse ("graph", fx, strlen (fx), NULL, &error);
  g_autoptr (LsGraph) graph = read != NULL ? ls_graph_from_fx (read) : NULL;

  if (graph == NULL || graph->nodes->len == 0 || graph->nodes->len > MOST_NODES)
    return NULL;
  json_builder_begin_object (builder);
  ls_page_add_member (builder, "kind", "graph");
  add_text (builder, "text", text);
  add_node (builder, "graph", graph_data (graph));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* ---- steps ----------------------------------------------------------------------------------- */

char *
ls_page_diff (const char *a,
              const char *b)
{
  g_autoptr (GArray) edits = ls_text_diff_lines (a, b);
  GString *ops = g_string_new (NULL);

  for (guint i = 0; i < edits->len; i++)
    {
      LsTextEdit edit = g_array_index (edits, LsTextDiff, i).edit;

      g_string_append_c (ops, edit == LS_TEXT_KEEP ? '=' : edit == LS_TEXT_DELETE ? '-' : '+');
    }
  return g_string_free (ops, FALSE);
}

static void
add_words (JsonBuilder *builder,
           LsLineage   *lineage)
{
  g_autoptr (GPtrArray) changes = lineage != NULL ? ls_lineage_describe (lineage) : NULL;

  ls_json_begin_array (builder, "words");
  for (guint i = 0; changes != NULL && i < changes->len && i < 6; i++)
    {
      LsLineageChange *change = changes->pdata[i];
      g_autofree char *text = g_strdup_printf ("%s: %s%s%s%s", change->how, change->text, change->detail != NULL ? " (" : "",
                                               change->detail != NULL ? change->detail : "", change->detail != NULL ? ")" : "");

      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
}

static void
add_step (JsonBuilder *builder,
          LsVersion   *version,
          const char  *call,
          LsLineage   *lineage,
          char       **before)
{
  g_autofree char *text = ls_script_print (version->module, NULL, NULL);
  g_autofree char *ops = *before != NULL ? ls_page_diff (*before, text) : g_strdup ("");

  json_builder_begin_object (builder);
  ls_page_add_member (builder, "call", call);
  ls_page_add_member (builder, "text", text);
  ls_page_add_member (builder, "diff", ops);
  add_words (builder, lineage);
  add_node (builder, "nest", ls_page_nest (version));
  json_builder_end_object (builder);
  g_free (*before);
  *before = g_steal_pointer (&text);
}

struct _LsPageSteps {
  LsSchedule  *schedule;
  JsonBuilder *builder;
  char        *before;          /* the text of the step before */
  guint        next, last, n;   /* the step that is looked at next, the one that was put last, how many were put */
};

LsPageSteps *
ls_page_steps_new (LsSchedule *schedule,
                   const char *mark)
{
  LsPageSteps *self = g_new0 (LsPageSteps, 1);

  self->schedule = schedule;
  self->builder = json_builder_new ();
  json_builder_begin_object (self->builder);
  ls_page_add_member (self->builder, "kind", "history");
  if (mark != NULL)
    ls_page_add_member (self->builder, "mark", mark);
  ls_json_begin_array (self->builder, "steps");
  add_step (self->builder, ls_schedule_get_version (schedule, 0), "", NULL, &self->before);
  return self;
}

gboolean
ls_page_steps_put (LsPageSteps *self)
{
  guint n = ls_schedule_get_n_steps (self->schedule), i;

  while (self->next < n && ls_step_is_pure (ls_schedule_get_step (self->schedule, self->next)))
    self->next++;
  if (self->next == n || self->n == MOST_STEPS)
    return FALSE;
  i = self->next++;
  {
    g_autofree char *call = ls_schedule_describe_step (self->schedule, i);
    LsLineage *lineage = ls_schedule_lineage (self->schedule, self->last, i + 1);

    add_step (self->builder, ls_schedule_get_version (self->schedule, i + 1), call, lineage, &self->before);
    ls_lineage_free (lineage);
  }
  self->last = i + 1;
  self->n++;
  return TRUE;
}

JsonNode *
ls_page_steps_end (LsPageSteps *self)
{
  JsonNode *node;

  json_builder_end_array (self->builder);
  json_builder_end_object (self->builder);
  node = json_builder_get_root (self->builder);
  g_object_unref (self->builder);
  g_free (self->before);
  g_free (self);
  return node;
}

static JsonNode *
steps_of (LsSchedule *schedule,
          const char *mark)
{
  LsPageSteps *steps = ls_page_steps_new (schedule, mark);

  while (ls_page_steps_put (steps))
    ;
  return ls_page_steps_end (steps);
}

JsonNode *
ls_page_history (const char *program,
                 const char *trace,
                 const char *mark)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) steps = ls_source_new ("trace", trace, -1);
  g_autoptr (LsSchedule) schedule = NULL;
  LsModule *module = parse (program);

  if (module == NULL)
    return NULL;
  schedule = ls_schedule_new (module);
  ls_unref (module);
  ls_schedule_apply_text (schedule, steps, 0, findings);
  return steps_of (schedule, mark);
}
