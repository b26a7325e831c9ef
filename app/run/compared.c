/* run/compared: see the header. */
#include "app/run/compared.h"

#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

const char *
ls_run_matched_words (GVariant *compared)
{
  const char *matched = ls_params_string (compared, "matched", "");

  if (strcmp (matched, "lineage") == 0)
    return _("The pass itself put one in the place of the other, or left it alone.");
  if (strcmp (matched, "position") == 0)
    return _("They are parameters with the same number.");
  if (strcmp (matched, "name") == 0)
    return _("They have the same name and shape; the pass says nothing of them.");
  if (strcmp (matched, "result") == 0)
    return _("They are what the function returns; the pass says nothing of them.");
  return _("They are made alike; the pass says nothing of them.");
}

char *
ls_run_compared_words (GVariant *compared)
{
  guint n = compared != NULL ? (guint) g_variant_n_children (compared) : 0, n_lineage = 0, n_gone = 0;
  g_autoptr (GVariant) worst = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  double most = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (compared, i);
      double error = ls_params_double (one, "error", 0);

      n_gone += ls_params_string (one, "other", NULL) == NULL;
      n_lineage += strcmp (ls_params_string (one, "matched", ""), "lineage") == 0;
      if (error > most)
        {
          most = error;
          g_clear_pointer (&worst, g_variant_unref);
          worst = g_variant_ref (one);
        }
    }
  if (n == 0)
    return NULL;
  first = worst != NULL ? g_strdup_printf (_("After the pass the largest error is %.3g, in %s%s."), most, ls_params_string (worst, "binding", "?"), ls_params_string (worst, "place", ""))
                        : g_strdup (_("After the pass all values are the same."));
  /* Translators: of the values of a graph: all, matched by what the pass noted, matched otherwise, without a match */
  second = g_strdup_printf (ngettext ("Of %u value the pass tells what became of %u; matched by how they are made: %u, gone: %u.",
                                      "Of %u values the pass tells what became of %u; matched by how they are made: %u, gone: %u.", n), n, n_lineage, n - n_lineage - n_gone, n_gone);
  return g_strdup_printf ("%s %s", first, second);
}

char *
ls_run_torch_words (GVariant *compared,
                    guint     n_without)
{
  g_autoptr (GVariant) worst = NULL;
  g_autoptr (GString) words = g_string_new (NULL);
  double most = 0;
  guint n = 0, n_trouble = 0;

  for (gsize i = 0; i < g_variant_n_children (compared); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (compared, i);
      double relative = ls_params_double (one, "relative", 0);

      n += ls_params_string (one, "other", NULL) != NULL && ls_params_string (one, "trouble", NULL) == NULL;
      n_trouble += ls_params_string (one, "trouble", NULL) != NULL;
      if (relative > most)
        {
          most = relative;
          g_clear_pointer (&worst, g_variant_unref);
          worst = g_variant_ref (one);
        }
    }
  if (worst == NULL)
    g_string_append_printf (words, ngettext ("%u value is that of torch, bit for bit.", "%u values are those of torch, bit for bit.", n), n);
  else
    g_string_append_printf (words, ngettext ("Of %u value beside that of torch the largest error, by the size of the values, is %.3g, in %s%s.",
                                             "Of %u values beside those of torch the largest error, by the size of the values, is %.3g, in %s%s.", n),
                            n, most, ls_params_string (worst, "binding", "?"), ls_params_string (worst, "place", ""));
  if (n_trouble > 0)
    {
      g_string_append_c (words, ' ');
      g_string_append_printf (words, ngettext ("%u value cannot be compared.", "%u values cannot be compared.", n_trouble), n_trouble);
    }
  if (n_without > 0)
    {
      g_string_append_c (words, ' ');
      g_string_append_printf (words, ngettext ("%u node of torch has no value to compare.", "%u nodes of torch have no value to compare.", n_without), n_without);
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}
