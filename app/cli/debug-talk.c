/* debug-talk: commands of the debugger from a prompt or a file, and how their answers are printed. */
#include "app/cli/debug-talk.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"

#include <string.h>
#include <unistd.h>

/* ---- what is printed -------------------------------------------------------------------------- */

static void
print_pairs (GVariant   *answer,
             const char *key,
             const char *name,
             const char *separator)
{
  g_autoptr (GVariant) list = ls_params_value (answer, key);
  gsize n = list != NULL ? g_variant_n_children (list) : 0;

  if (n > 0)
    printf ("  ");
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      printf ("%s%s = %s", i > 0 ? separator : "", ls_params_string (one, name, "?"), ls_params_string (one, "text", "?"));
    }
  if (n > 0)
    printf ("\n");
}

static void
print_accesses (GVariant *answer)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "accesses");
  gsize n = list != NULL ? g_variant_n_children (list) : 0;

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      gboolean is_write = strcmp (ls_params_string (one, "kind", ""), "write") == 0;

      printf ("  %s %s, now %s%s\n", is_write ? "writes" : "reads", ls_params_string (one, "words", "?"), ls_params_string (one, "text", "?"),
              is_write && !ls_params_bool (one, "written", TRUE) ? " (not written yet)" : "");
    }
}

void
ls_cli_debug_print (GVariant *answer)
{
  const char *state = ls_params_string (answer, "state", "?"), *error = ls_params_string (answer, "error", NULL);
  g_autoptr (GVariant) hit = ls_params_value (answer, "hit");
  gint64 line = ls_params_int (answer, "line", 0);

  if (hit != NULL)
    {
      gint64 stop = ls_params_int (hit, "stop", 0);

      if (stop > 0)
        printf ("breakpoint %" G_GINT64_FORMAT ", ", stop);
      printf ("%s", ls_params_string (hit, "words", "?"));
      if (ls_params_string (hit, "element", NULL) != NULL)
        printf (": %s %s %s", ls_params_string (hit, "element", "?"), strcmp (ls_params_string (hit, "kind", ""), "read") == 0 ? "is" : "becomes",
                ls_params_string (hit, "text", "?"));
      printf ("\n");
    }
  if (ls_params_bool (answer, "interrupted", FALSE))
    printf ("interrupted\n");
  printf ("%" G_GINT64_FORMAT, ls_params_int (answer, "clock", 0));
  if (line > 0)
    printf ("  line %" G_GINT64_FORMAT ": %s", line, ls_params_string (answer, "statement", ""));
  if (strcmp (state, "stands") != 0)
    printf ("  %s%s%s", state, error != NULL ? ": " : "", error != NULL ? error : "");
  printf ("\n");
  print_pairs (answer, "vars", "name", ", ");
  print_pairs (answer, "expressions", "expression", "\n  ");
  print_accesses (answer);
}

void
ls_cli_debug_print_grid (GVariant *answer)
{
  g_autoptr (GVariant) values = ls_params_value (answer, "values");
  g_autoptr (GVariant) written = ls_params_value (answer, "written");
  gint64 rows = ls_params_int (answer, "rows", 0), columns = ls_params_int (answer, "columns", 0);

  printf ("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " written", ls_params_string (answer, "buffer", "?"), ls_params_int (answer, "n-written", 0),
          ls_params_int (answer, "n", 0));
  if (ls_params_int (answer, "not-finite", 0) > 0)
    printf (", %" G_GINT64_FORMAT " NaN or infinite", ls_params_int (answer, "not-finite", 0));
  printf ("; . not written yet\n");
  for (gint64 r = 0; r < rows; r++)
    {
      printf ("%5" G_GINT64_FORMAT " ", r + ls_params_int (answer, "row", 0));
      for (gint64 c = 0; c < columns; c++)
        {
          double value;
          gboolean is_written;

          g_variant_get_child (values, (gsize) (r * columns + c), "d", &value);
          g_variant_get_child (written, (gsize) (r * columns + c), "b", &is_written);
          printf (" %9.4g%c", value, is_written ? ' ' : '.');
        }
      printf ("\n");
    }
}

static void
print_stop (GVariant *stop)
{
  printf ("%" G_GINT64_FORMAT "  %s", ls_params_int (stop, "stop", 0), ls_params_string (stop, "words", "?"));
  if (ls_params_int (stop, "line", 0) > 0)
    printf ("  (line %" G_GINT64_FORMAT ")", ls_params_int (stop, "line", 0));
  printf ("\n");
}

void
ls_cli_debug_print_past (GVariant *list)
{
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      printf ("  %8" G_GINT64_FORMAT "  %-5s %s = %s  line %" G_GINT64_FORMAT "%s%s\n", ls_params_int (one, "clock", 0), ls_params_string (one, "kind", ""),
              ls_params_string (one, "element", "?"), ls_params_string (one, "text", "?"), ls_params_int (one, "line", 0),
              *ls_params_string (one, "loops", "") != '\0' ? ", " : "", ls_params_string (one, "loops", ""));
    }
}

static void
print_plot (GVariant *answer)
{
  g_autoptr (GVariant) clocks = ls_params_value (answer, "clocks");
  g_autoptr (GVariant) values = ls_params_value (answer, "values");

  for (gsize i = 0; clocks != NULL && i < g_variant_n_children (clocks); i++)
    {
      guint64 clock;
      double value;

      g_variant_get_child (clocks, i, "t", &clock);
      g_variant_get_child (values, i, "d", &value);
      printf ("  %8" G_GUINT64_FORMAT "  %.9g\n", clock, value);
    }
}

static void
print_checkpoints (GVariant *answer)
{
  printf ("%" G_GINT64_FORMAT " checkpoints for going back, %.1f MiB of at most %.0f MiB (--memory); the first and one more stay, whatever they take\n",
          ls_params_int (answer, "checkpoints", 0), (double) ls_params_int (answer, "checkpoint-bytes", 0) / (1 << 20),
          (double) ls_params_int (answer, "checkpoint-limit", 0) / (1 << 20));
}

static void
print_answer (GVariant *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");

  if (ls_params_string (answer, "state", NULL) != NULL)
    ls_cli_debug_print (answer);
  else if (ls_params_string (answer, "buffer", NULL) != NULL)
    ls_cli_debug_print_grid (answer);
  else if (ls_params_string (answer, "plot", NULL) != NULL)
    print_plot (answer);
  else if (ls_params_string (answer, "expression", NULL) != NULL)
    printf ("%s = %s\n", ls_params_string (answer, "expression", ""), ls_params_string (answer, "text", "?"));
  else if (ls_params_string (answer, "listing", NULL) != NULL)
    ls_cli_put_text (ls_params_string (answer, "listing", ""));
  else if (ls_params_int (answer, "stop", 0) > 0)
    print_stop (answer);
  else if (ls_params_int (answer, "checkpoints", 0) > 0)
    print_checkpoints (answer);
  else if (stops != NULL)
    for (gsize i = 0; i < g_variant_n_children (stops); i++)
      {
        g_autoptr (GVariant) one = g_variant_get_child_value (stops, i);

        print_stop (one);
      }
  else
    {
      g_autoptr (GVariant) list = ls_params_value (answer, "accesses");

      ls_cli_debug_print_past (list);
    }
}

/* ---- talking ------------------------------------------------------------------------------------ */

static GVariant *
error_answer (const char   *line,
              const GError *error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "command", "s", line);
  g_variant_dict_insert (&dict, "error", "s", error->message);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* FALSE: the command was refused. */
gboolean
ls_cli_debug_say (LsDebug         *debug,
                  const char      *line,
                  GVariantBuilder *answers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_debug_command (debug, line, &error);

  if (answers != NULL)
    {
      g_autoptr (GVariant) told = answer != NULL ? g_variant_ref (answer) : error_answer (line, error);

      g_variant_builder_add_value (answers, told);
    }
  else if (answer != NULL)
    print_answer (answer);
  else
    fprintf (stderr, "%s\n", error->message);
  return answer != NULL;
}

/* {"answers": [...]} as JSON, or nothing. Takes what is in it. */
static void
print_answers (GVariantBuilder *answers,
               gboolean         json)
{
  GVariantDict dict;
  g_autoptr (GVariant) all = NULL;

  if (!json)
    {
      g_variant_builder_clear (answers);
      return;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "answers", g_variant_builder_end (answers));
  all = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (all);
}

gboolean
ls_cli_debug_lines (FILE        *from,
                    const char  *prompt,
                    gboolean     json,
                    LsCliSay     say,
                    gpointer     data)
{
  GVariantBuilder answers;
  gboolean ok = TRUE;
  char *line = NULL;
  size_t room = 0;

  g_variant_builder_init (&answers, G_VARIANT_TYPE ("aa{sv}"));
  while (TRUE)
    {
      if (prompt != NULL)
        {
          fputs (prompt, stdout);
          fflush (stdout);
        }
      if (getline (&line, &room, from) < 0)
        break;
      g_strstrip (line);
      if (strcmp (line, "quit") == 0 || strcmp (line, "q") == 0)
        break;
      if (*line != '\0' && *line != '#')
        ok = say (data, line, json ? &answers : NULL) && ok;
    }
  free (line);
  print_answers (&answers, json);
  return ok;
}

static gboolean
say_or_help (gpointer         debug,
             const char      *line,
             GVariantBuilder *answers)
{
  if (strcmp (line, "help") != 0 || answers != NULL)
    return ls_cli_debug_say (debug, line, answers);
  fputs (ls_debug_help (), stdout);
  return TRUE;
}

int
ls_cli_debug_talk (LsDebug *debug,
                   FILE    *from,
                   gboolean is_batch,
                   gboolean json)
{
  gboolean ok = ls_cli_debug_lines (from, !is_batch && isatty (fileno (from)) ? "(loopscope) " : NULL, json, say_or_help, debug);

  return ok || !is_batch ? LS_CLI_DONE : LS_CLI_FAILED;
}
