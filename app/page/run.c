/* A run as data for the page: the program, its buffers as they begin, and for each statement its line, the variables, and what it touches. */
#include "app/page/page.h"

#include "app/lesson/record.h"
#include "app/rpc/rpc.h"
#include "engine/base/json.h"

#include <math.h>

/* Six digits: a page shows no more. A number that is none is null. */
static void
add_number (JsonBuilder *builder,
            double       value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    json_builder_add_null_value (builder);
  else
    json_builder_add_double_value (builder, g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.6g", value), NULL));
}

static void
add_buffer (JsonBuilder *builder,
            GVariant    *buffer)
{
  g_autoptr (GVariant) shape = ls_params_value (buffer, "shape"), values = ls_params_value (buffer, "values"), written = ls_params_value (buffer, "written");

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "t", ls_params_string (buffer, "name", ""));
  ls_json_begin_array (builder, "shape");
  for (gsize d = 0; d < g_variant_n_children (shape); d++)
    {
      gint64 extent;

      g_variant_get_child (shape, d, "x", &extent);
      json_builder_add_int_value (builder, extent);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "v");
  for (gsize i = 0; i < g_variant_n_children (values); i++)
    {
      double value;

      g_variant_get_child (values, i, "d", &value);
      add_number (builder, value);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "w");
  for (gsize i = 0; i < g_variant_n_children (written); i++)
    {
      gboolean is_written;

      g_variant_get_child (written, i, "b", &is_written);
      json_builder_add_int_value (builder, is_written);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* [line, "i = 0", stop, [[buffer, element, write, value, "C[0]"], ...]] */
static void
add_step (JsonBuilder *builder,
          GVariant    *step)
{
  g_autoptr (GVariant) accesses = ls_params_value (step, "accesses");

  json_builder_begin_array (builder);
  json_builder_add_int_value (builder, ls_params_int (step, "line", 0));
  json_builder_add_string_value (builder, ls_params_string (step, "vars", ""));
  json_builder_add_int_value (builder, ls_params_bool (step, "stop", FALSE));
  json_builder_begin_array (builder);
  for (gsize k = 0; k < g_variant_n_children (accesses); k++)
    {
      guint32 buffer;
      gint64 element;
      gboolean is_write;
      double value;
      const char *words;

      g_variant_get_child (accesses, k, "(uxbd&s)", &buffer, &element, &is_write, &value, &words);
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, buffer);
      json_builder_add_int_value (builder, element);
      json_builder_add_int_value (builder, is_write);
      add_number (builder, value);
      json_builder_add_string_value (builder, words);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_array (builder);
}

JsonNode *
ls_page_run (GVariant           *view,
             const LsLessonPart *part)
{
  g_autoptr (GVariant) record = ls_lesson_record (view, part, NULL);
  g_autoptr (GVariant) buffers = record != NULL ? ls_params_value (record, "buffers") : NULL;
  g_autoptr (GVariant) steps = record != NULL ? ls_params_value (record, "steps") : NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (record == NULL)
    return NULL;
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "kind", "run");
  ls_json_put_text (builder, "text", ls_params_string (record, "text", ""));
  if (part->ask != NULL)
    ls_json_put_text (builder, "ask", part->ask);
  ls_json_put_bool (builder, "whole", ls_params_bool (record, "whole", TRUE));
  ls_json_begin_array (builder, "buffers");
  for (gsize i = 0; i < g_variant_n_children (buffers); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (buffers, i);

      add_buffer (builder, one);
    }
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "steps");
  for (gsize i = 0; i < g_variant_n_children (steps); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (steps, i);

      add_step (builder, one);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
