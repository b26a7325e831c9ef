/* What a cell showed, from the kernel's description (loopscope_kernel/shows.py), as data for the page. */
#include "app/page/page.h"

#include "app/rpc/rpc.h"
#include "engine/base/json.h"

#include <string.h>

#define MOST_SAMPLES 60
#define MOST_ROWS 60
#define MOST_PNG (600u << 10)

static JsonNode *
end (JsonBuilder *builder)
{
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* A child of a list, without the box around it. (transfer full) */
static GVariant *
child_of (GVariant *list,
          gsize     i)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

  return g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
}

static void
add_samples (JsonBuilder *builder,
             const char  *name,
             GVariant    *samples)
{
  gsize n = g_variant_n_children (samples);

  json_builder_begin_object (builder);
  ls_page_add_member (builder, "n", name);
  ls_json_begin_array (builder, "s");
  for (gsize i = 0; i < n && i < MOST_SAMPLES; i++)
    {
      g_autoptr (GVariant) value = child_of (samples, i);

      if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
        json_builder_add_double_value (builder, g_variant_get_double (value));
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static JsonNode *
timing (GVariant           *view,
        const LsLessonPart *part)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GVariant) series = ls_params_value (view, "series"), seconds = ls_params_value (view, "seconds");

  json_builder_begin_object (builder);
  ls_page_add_member (builder, "kind", "chart");
  ls_json_begin_array (builder, "rows");
  for (gsize i = 0; series != NULL && i < g_variant_n_children (series); i++)
    {
      g_autoptr (GVariant) samples = child_of (series, i);
      g_autofree char *number = g_strdup_printf ("%u", (guint) i + 1);

      add_samples (builder, part->names != NULL && i < g_strv_length (part->names) ? part->names[i] : number, samples);
    }
  if (series == NULL && seconds != NULL)
    add_samples (builder, part->names != NULL && part->names[0] != NULL ? part->names[0] : "1", seconds);
  json_builder_end_array (builder);
  return end (builder);
}

static JsonNode *
table (GVariant *view)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GVariant) rows = ls_params_value (view, "rows");
  g_auto (GStrv) columns = ls_params_strv (view, "columns");

  if (rows == NULL || !g_variant_is_container (rows) || g_variant_n_children (rows) == 0)
    return NULL;
  json_builder_begin_object (builder);
  ls_page_add_member (builder, "kind", "table");
  ls_page_add_member (builder, "title", ls_params_string (view, "title", ""));
  ls_json_begin_array (builder, "columns");
  for (guint i = 0; columns != NULL && columns[i] != NULL; i++)
    json_builder_add_string_value (builder, columns[i]);
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "rows");
  for (gsize i = 0; i < g_variant_n_children (rows) && i < MOST_ROWS; i++)
    {
      g_autoptr (GVariant) row = child_of (rows, i);

      json_builder_begin_array (builder);
      for (gsize k = 0; g_variant_is_container (row) && k < g_variant_n_children (row); k++)
        {
          g_autoptr (GVariant) cell = child_of (row, k);

          json_builder_add_string_value (builder, g_variant_is_of_type (cell, G_VARIANT_TYPE_STRING) ? g_variant_get_string (cell, NULL) : "");
        }
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  return end (builder);
}

static gboolean
is_base64 (const char *text)
{
  return text[strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n")] == 0;
}

static JsonNode *
picture (GVariant *view)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const char *png = ls_params_string (view, "png", NULL), *drawn = ls_params_string (view, "svg", NULL);
  g_autofree char *coded = drawn != NULL ? g_base64_encode ((const guchar *) drawn, strlen (drawn)) : NULL;
  const char *data = png != NULL && is_base64 (png) ? png : coded;

  if (data == NULL || strlen (data) > MOST_PNG)
    return NULL;
  json_builder_begin_object (builder);
  ls_page_add_member (builder, "kind", "picture");
  ls_page_add_member (builder, "type", data == coded ? "svg" : "png");
  ls_page_add_member (builder, "title", ls_params_string (view, "title", ""));
  ls_page_add_member (builder, "data", data);
  return end (builder);
}

JsonNode *
ls_page_view (GVariant           *view,
              const LsLessonPart *part)
{
  const char *kind = ls_params_string (view, "kind", "text"), *text = ls_params_string (view, "text", "");
  const char *whole = ls_params_string (view, "program", NULL), *base = ls_params_string (view, "base", NULL);
  JsonNode *node = NULL;

  if (g_strcmp0 (part->view, "none") == 0)
    return NULL;
  if (g_strcmp0 (part->view, "run") == 0 && strcmp (kind, "text") != 0)
    node = ls_page_run (view, part);
  if (node != NULL)
    return node;
  if (strcmp (kind, "schedule") == 0 && base != NULL && g_strcmp0 (part->view, "loops") != 0 && g_strcmp0 (part->view, "accesses") != 0)
    node = ls_page_history (whole != NULL ? whole : base, ls_params_string (view, "trace", ""), part->mark);
  else if (strcmp (kind, "te") == 0)
    node = ls_page_program (text, whole, ls_params_string (view, "title", ""), part->mark, part->view != NULL ? part->view : "graph");
  else if (ls_params_string (view, "refused", NULL) != NULL)
    node = ls_page_program (text, NULL, ls_params_string (view, "title", ""), ls_params_string (view, "mark", NULL), "text");
  else if (strcmp (kind, "module") == 0 || strcmp (kind, "function") == 0 || strcmp (kind, "schedule") == 0)
    node = ls_page_program (text, strcmp (kind, "schedule") == 0 ? NULL : whole, ls_params_string (view, "title", ""), part->mark, part->view);
  else if (strcmp (kind, "graph") == 0 && *ls_params_string (view, "fx", "") != 0 && g_strcmp0 (part->view, "table") != 0)
    node = ls_page_fx (ls_params_string (view, "fx", ""), text);
  else if (strcmp (kind, "timing") == 0)
    node = timing (view, part);
  else if (strcmp (kind, "picture") == 0 || (strcmp (kind, "array") == 0 && g_strcmp0 (part->view, "table") != 0))
    node = picture (view);
  if (node == NULL && (strcmp (kind, "table") == 0 || strcmp (kind, "array") == 0 || strcmp (kind, "graph") == 0))
    node = table (view);
  return node;
}
