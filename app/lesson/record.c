/* lesson/record: see the header. */
#include "app/lesson/record.h"

#include "app/rpc/rpc.h"
#include "engine/debug/debug.h"

#include <math.h>
#include <string.h>

#define MOST 1500u              /* statements that are written down */

GVariant *
ls_lesson_record (GVariant            *view,
                  const LsLessonPart  *part,
                  GError             **error)
{
  const char *text = ls_params_string (view, "program", ls_params_string (view, "text", ""));
  g_autoptr (LsSource) source = ls_source_new ("cell", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsDebug) debug = NULL;

  if (module == NULL || ls_diagnostics_has_error (findings))
    {
      g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("what was shown is no program"));
      return NULL;
    }
  debug = ls_debug_new (module, NULL, NULL, error);
  return debug != NULL ? ls_debug_record (debug, (const char *const *) part->stops, MOST, error) : NULL;
}

GVariant *
ls_lesson_record_shown (LsOutputs           *outputs,
                        const LsLessonPart  *part,
                        GError             **error)
{
  for (guint k = outputs != NULL ? ls_outputs_get_n (outputs) : 0; k-- > 0;)
    {
      GVariant *shown = ls_outputs_get (outputs, k)->view;

      if (shown != NULL && strcmp (ls_params_string (shown, "kind", "text"), "text") != 0)
        return ls_lesson_record (shown, part, error);
    }
  return NULL;
}

gboolean
ls_lesson_record_next_write (GVariant  *record,
                             guint      at,
                             char     **words,
                             double    *value)
{
  g_autoptr (GVariant) steps = ls_params_value (record, "steps");

  for (gsize i = at; steps != NULL && i < g_variant_n_children (steps); i++)
    {
      g_autoptr (GVariant) step = g_variant_get_child_value (steps, i);
      g_autoptr (GVariant) accesses = ls_params_value (step, "accesses");

      for (gsize k = 0; k < g_variant_n_children (accesses); k++)
        {
          gboolean is_write;

          g_variant_get_child (accesses, k, "(uxbds)", NULL, NULL, &is_write, value, words);
          if (is_write)
            return TRUE;
          g_clear_pointer (words, g_free);
        }
    }
  return FALSE;
}

/* Without what is said for the eye only. */
static char *
bare (const char *text)
{
  GString *kept = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (!g_ascii_isspace (*text))
      g_string_append_c (kept, *text);
  return g_string_free (kept, FALSE);
}

gboolean
ls_lesson_record_is_right (const char *answer,
                           gboolean    is_value,
                           const char *words,
                           double      value)
{
  g_autofree char *given = bare (answer);
  g_autofree char *wanted = bare (words);
  char *end = NULL;
  double number = g_ascii_strtod (given, &end);

  if (!is_value)
    return strcmp (given, wanted) == 0;
  return end != given && *end == '\0' && fabs (number - value) <= 5e-3 * fmax (fabs (value), 1e-9);
}

/* ---- answers ------------------------------------------------------------------------------------- */

char *
ls_lesson_stops_get (const char *answers,
                     guint       at)
{
  g_auto (GStrv) lines = g_strsplit (answers != NULL ? answers : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *end = NULL;
      guint64 number = g_ascii_strtoull (lines[i], &end, 10);

      if (end != lines[i] && *end == ' ' && number == at)
        return g_strdup (end + 1);
    }
  return NULL;
}

char *
ls_lesson_stops_set (const char *answers,
                     guint       at,
                     const char *given)
{
  g_auto (GStrv) lines = g_strsplit (answers != NULL ? answers : "", "\n", -1);
  g_autofree char *flat = g_strdelimit (g_strdup (given), "\n\r", ' ');
  GString *all = g_string_new (NULL);
  gboolean done = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      guint64 number = g_ascii_strtoull (lines[i], NULL, 10);

      if (*lines[i] == '\0' || number == at)
        continue;
      if (!done && number > at)
        g_string_append_printf (all, "%u %s\n", at, flat);
      done = done || number > at;
      g_string_append_printf (all, "%s\n", lines[i]);
    }
  if (!done)
    g_string_append_printf (all, "%u %s\n", at, flat);
  return g_string_free (all, FALSE);
}

guint
ls_lesson_stops_judge (GVariant    *record,
                       gboolean     is_value,
                       const char  *answers,
                       guint       *answered,
                       guint       *asked,
                       char       **first)
{
  g_autoptr (GVariant) steps = ls_params_value (record, "steps");
  guint right = 0;

  *answered = *asked = 0;
  for (guint i = 0; steps != NULL && i < g_variant_n_children (steps); i++)
    {
      g_autoptr (GVariant) step = g_variant_get_child_value (steps, i);
      g_autofree char *given = ls_lesson_stops_get (answers, i);
      g_autofree char *words = NULL;
      double value;
      gboolean good;

      if (!ls_params_bool (step, "stop", FALSE) || !ls_lesson_record_next_write (record, i, &words, &value))
        continue;
      good = given != NULL && ls_lesson_record_is_right (given, is_value, words, value);
      (*asked)++;
      *answered += given != NULL;
      right += good;
      if (!good && first != NULL && *first == NULL)
        *first = given != NULL ? g_strdup_printf (ls_translate ("statement %u: %s"), i + 1, given) : g_strdup_printf (ls_translate ("statement %u: not answered"), i + 1);
    }
  return right;
}
