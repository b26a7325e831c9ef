/* record: the begin of a run written down, so that it can be stepped through where nothing runs: on a page, in a lesson.
 *
 * Buffers as they begin, then for each statement its line, the variables, what it reads and what it writes; a viewer goes forwards by the writes and
 * backwards by what stood there before.
 */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_ELEMENTS 4096      /* of all buffers together */

typedef struct {
  LsDebug        *debug;
  GPtrArray      *buffers;      /* of LsBuffer, borrowed: those that were told */
  GVariantBuilder told;         /* aa{sv} */
  gint64          n_elements;
  gboolean        too_large;
} Recorder;

/* ---- buffers ------------------------------------------------------------------------------------ */

/* The number of a buffer in the record; it is told when it is met first, as it is then. -1: it is too large. */
static int
buffer_number (Recorder *self,
               LsBuffer *buffer)
{
  LsRunBuffer view;
  GVariantBuilder shape, values, written;
  GVariantDict dict;
  gint64 n = 1;
  g_autofree char *name = NULL;

  for (guint i = 0; i < self->buffers->len; i++)
    if (self->buffers->pdata[i] == (gpointer) buffer)
      return (int) i;
  if (!ls_run_get_buffer (self->debug->run, buffer, &view))
    return -1;
  for (guint d = 0; d < view.ndim; d++)
    n *= view.shape[d];
  self->n_elements += n;
  if (self->n_elements > MOST_ELEMENTS)
    {
      self->too_large = TRUE;
      return -1;
    }
  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  g_variant_builder_init (&values, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&written, G_VARIANT_TYPE ("ab"));
  for (guint d = 0; d < view.ndim; d++)
    g_variant_builder_add (&shape, "x", view.shape[d]);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 rest = i, element = view.offset;
      LsRunValue value;
      gboolean known;

      for (guint d = view.ndim; d-- > 0;)
        {
          element += rest % view.shape[d] * view.strides[d];
          rest /= view.shape[d];
        }
      known = ls_run_element (&view, element, &value) || !g_hash_table_contains (self->debug->written, buffer->data);
      g_variant_builder_add (&values, "d", value.f);
      g_variant_builder_add (&written, "b", known);
    }
  name = ls_debug_text_name (self->debug->text, buffer);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", name);
  g_variant_dict_insert_value (&dict, "shape", g_variant_builder_end (&shape));
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written));
  g_variant_builder_add_value (&self->told, g_variant_dict_end (&dict));
  g_ptr_array_add (self->buffers, buffer);
  return (int) self->buffers->len - 1;
}

/* ---- one statement --------------------------------------------------------------------------------- */

typedef struct {
  Recorder       *recorder;
  GVariantBuilder accesses;     /* a(uxbds): buffer, row-major element, is a write, value, "C[0, 1]" */
  guint           n;
} Statement;

static void
note_access (LsRun            *run,
             const LsRunEvent *event,
             gpointer          user_data)
{
  Statement *self = user_data;
  LsRunBuffer view;
  gint64 indices[16], element = 0;
  int number;
  g_autofree char *words = NULL;

  if (!ls_run_get_buffer (run, event->buffer, &view) || !ls_debug_indices (&view, event->element, indices))
    return;
  number = buffer_number (self->recorder, event->buffer);
  if (number < 0)
    return;
  for (guint d = 0; d < view.ndim; d++)
    element = element * view.shape[d] + indices[d];
  words = ls_debug_element_words (self->recorder->debug, event->buffer, event->element);
  g_variant_builder_add (&self->accesses, "(uxbds)", (guint32) number, element, event->kind == LS_SEE_WRITE, event->float_value, words);
  self->n++;
}

static const LsObserver statement_observer = { LS_SEE_READ | LS_SEE_WRITE, NULL, note_access };

static char *
vars_words (GVariant *look)
{
  g_autoptr (GVariant) vars = g_variant_lookup_value (look, "vars", G_VARIANT_TYPE ("aa{sv}"));
  GString *words = g_string_new (NULL);

  for (gsize i = 0; vars != NULL && i < g_variant_n_children (vars); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (vars, i);
      const char *name = "", *text = "";

      g_variant_lookup (one, "name", "&s", &name);
      g_variant_lookup (one, "text", "&s", &text);
      g_string_append_printf (words, "%s%s = %s", i > 0 ? ", " : "", name, text);
    }
  return g_string_free (words, FALSE);
}

/* Runs the statement that comes next, and tells it as it stood before. */
static GVariant *
record_statement (Recorder *recorder,
                  gboolean  is_stop)
{
  LsDebug *debug = recorder->debug;
  g_autoptr (GVariant) look = ls_debug_look (debug);
  g_autofree char *vars = vars_words (look);
  Statement statement = { recorder, .n = 0 };
  GVariantDict dict;
  guint32 line = 0;

  g_variant_lookup (look, "line", "u", &line);
  g_variant_builder_init (&statement.accesses, G_VARIANT_TYPE ("a(uxbds)"));
  ls_run_observe (debug->run, &statement_observer, &statement);
  ls_debug_go_to (debug, ls_run_get_clock (debug->run) + 1);
  ls_run_ignore (debug->run, &statement_observer, &statement);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "line", "u", line);
  g_variant_dict_insert (&dict, "vars", "s", vars);
  g_variant_dict_insert (&dict, "stop", "b", is_stop);
  g_variant_dict_insert_value (&dict, "accesses", g_variant_builder_end (&statement.accesses));
  return g_variant_dict_end (&dict);
}

/* ---- the record ------------------------------------------------------------------------------------ */

/* Where the breakpoints stop: clock -> itself. FALSE with an error: one cannot be read, or stops nowhere in the first `most` statements. */
static gboolean
find_stops (LsDebug            *debug,
            const char *const  *stops,
            guint               most,
            GHashTable         *clocks,
            GError            **error)
{
  for (guint i = 0; stops != NULL && stops[i] != NULL; i++)
    {
      LsStop *stop = ls_debug_stop_parse (debug, stops[i], error);
      guint found = 0;

      if (stop == NULL)
        return FALSE;
      ls_debug_add_stop (debug, stop);
      ls_debug_go_to (debug, 0);
      while (ls_debug_seek (debug, FALSE, NULL, FALSE) && ls_run_get_clock (debug->run) < most)
        {
          g_hash_table_add (clocks, GUINT_TO_POINTER ((guint) ls_run_get_clock (debug->run) + 1));
          found++;
        }
      ls_debug_clear_stops (debug);
      ls_debug_forget_hit (debug);
      if (found == 0)
        {
          g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s stops nowhere in the first %u statements."), stops[i], most);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
is_over_the_end (gpointer data)
{
  LsDebug *debug = data;

  return ls_run_get_clock (debug->run) > LS_RECORD_MOST * 4;
}

GVariant *
ls_debug_record (LsDebug            *self,
                 const char *const  *stops,
                 guint               most,
                 GError            **error)
{
  g_autoptr (GHashTable) clocks = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) buffers = g_ptr_array_new ();
  g_autoptr (GPtrArray) params = ls_run_buffers (self->run);
  Recorder recorder = { self, buffers, .n_elements = 0 };
  GVariantBuilder steps;
  GVariantDict dict;

  most = MIN (most, LS_RECORD_MOST);
  ls_debug_set_asker (self, is_over_the_end, self);
  if (!find_stops (self, stops, most, clocks, error))
    return NULL;
  ls_debug_go_to (self, 0);
  g_variant_builder_init (&recorder.told, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&steps, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < params->len; i++)
    buffer_number (&recorder, params->pdata[i]);
  while (ls_run_get_state (self->run) == LS_RUN_STANDS && ls_run_get_clock (self->run) < most && !recorder.too_large)
    {
      gboolean is_stop = g_hash_table_contains (clocks, GUINT_TO_POINTER ((guint) ls_run_get_clock (self->run) + 1));

      g_variant_builder_add_value (&steps, record_statement (&recorder, is_stop));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "text", "s", self->text->text);
  g_variant_dict_insert (&dict, "whole", "b", ls_run_get_state (self->run) == LS_RUN_FINISHED);
  g_variant_dict_insert_value (&dict, "buffers", g_variant_builder_end (&recorder.told));
  g_variant_dict_insert_value (&dict, "steps", g_variant_builder_end (&steps));
  if (recorder.too_large || ls_run_get_state (self->run) == LS_RUN_FAILED)
    {
      g_autoptr (GVariant) gone = g_variant_ref_sink (g_variant_dict_end (&dict));

      if (recorder.too_large)
        g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The buffers have more than %d elements, too many to write a run down; make them smaller."), MOST_ELEMENTS);
      else
        g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, "%s", ls_run_get_error (self->run)->message);
      return NULL;
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
