/* debug-pair: two programs in step: see the header. */
#include "app/cli/debug-pair.h"

#include "app/cli/debug-talk.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"

#include <string.h>

static void
print_side (GVariant   *answer,
            const char *key)
{
  g_autoptr (GVariant) look = ls_params_value (answer, key);
  gint64 line = look != NULL ? ls_params_int (look, "line", 0) : 0;

  printf ("  %-5s %8" G_GINT64_FORMAT "  ", key, look != NULL ? ls_params_int (look, "clock", 0) : 0);
  if (line > 0)
    printf ("line %" G_GINT64_FORMAT ": %s\n", line, ls_params_string (look, "statement", ""));
  else
    printf ("%s\n", look != NULL ? ls_params_string (look, "state", "") : "");
}

static void
print_pair (GVariant *answer)
{
  const char *element = ls_params_string (answer, "element", NULL), *differ = ls_params_string (answer, "differ", NULL);

  printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, ls_params_int (answer, "at", 0), ls_params_int (answer, "of", 0));
  if (element != NULL)
    printf ("  %s, write %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " on the left and %" G_GINT64_FORMAT " on the right: %s and %s", element,
            ls_params_int (answer, "write", 0), ls_params_int (answer, "writes-left", 0), ls_params_int (answer, "writes-right", 0),
            ls_params_string (answer, "value-left", "nothing"), ls_params_string (answer, "value-right", "nothing"));
  if (g_strcmp0 (differ, "none") == 0)
    printf (", the same");
  else if (differ != NULL)
    printf (", %s (%.3g units in the last place)", strcmp (differ, "way") == 0 ? "half-way" : strcmp (differ, "real") == 0 ? "which differ" : "by rounding", ls_cli_number (answer, "ulp"));
  printf ("\n");
  print_side (answer, "left");
  print_side (answer, "right");
}

static gboolean
say (gpointer         pair,
     const char      *line,
     GVariantBuilder *answers)
{
  g_autoptr (GError) error = NULL;
  gboolean right = g_str_has_prefix (line, "right ");
  g_autoptr (GVariant) answer = ls_debug_pair_command (pair, right, right ? line + strlen ("right ") : line, &error);

  if (answer == NULL)
    fprintf (stderr, "%s\n", error->message);
  else if (answers != NULL)
    g_variant_builder_add_value (answers, answer);
  else if (g_variant_lookup (answer, "of", "u", NULL))
    print_pair (answer);
  else
    ls_cli_print_json (answer);
  return answer != NULL;
}

gboolean
ls_cli_debug_pair (LsDebugPair *pair,
                   FILE        *from,
                   gboolean     prompt,
                   gboolean     json)
{
  return ls_cli_debug_lines (from, prompt ? "(loopscope, two) " : NULL, json, say, pair);
}
