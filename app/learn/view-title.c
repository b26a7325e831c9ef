/* ls_view_title: titles of descriptions, made from their kind and their numbers.
 *
 * The kernel speaks English and knows no catalogue: its "title" is for those who read what it sent.  What is said in words is said here; a
 * kind whose title is only names (a class of Python, a function, a shape) keeps the kernel's.
 */
#include "app/learn/view-title.h"

#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

static guint
length_of (GVariant   *view,
           const char *key)
{
  g_autoptr (GVariant) list = ls_params_value (view, key);

  return list != NULL && g_variant_is_container (list) ? (guint) g_variant_n_children (list) : 0;
}

/* How many there were: lists are cut, "count" is not. */
static guint
count_of (GVariant   *view,
          const char *key)
{
  return (guint) ls_params_int (view, "count", length_of (view, key));
}

static char *
timing_title (GVariant *view)
{
  g_autoptr (GVariant) one = ls_params_value (view, "seconds");
  guint n = count_of (view, one != NULL ? "seconds" : "series");

  return one != NULL ? g_strdup_printf (ngettext ("%u sample", "%u samples", n), n)
         : g_strdup_printf (ngettext ("%u measurement", "%u measurements", n), n);
}

static char *
table_title (GVariant *view)
{
  const char *name = ls_params_string (view, "name", NULL);
  guint n_rows = (guint) ls_params_int (view, "height", 0), n_columns = (guint) ls_params_int (view, "width", 0);
  g_autofree char *rows = g_strdup_printf (ngettext ("%u row", "%u rows", n_rows), n_rows);
  g_autofree char *columns = g_strdup_printf (ngettext ("%u column", "%u columns", n_columns), n_columns);

  if (name == NULL)
    return NULL;
  return n_columns > 0 ? g_strdup_printf ("%s, %s, %s", name, rows, columns) : g_strdup_printf ("%s, %s", name, rows);
}

static char *
figure_title (GVariant *view)
{
  const char *words = ls_params_string (view, "words", NULL);
  guint number = (guint) ls_params_int (view, "figure", 0);
  g_autofree char *figure = number > 0 ? g_strdup_printf (_("Figure %u"), number) : g_strdup (_("Figure"));

  if (words == NULL)
    return NULL;
  return *words != 0 ? g_strdup_printf ("%s: %s", figure, words) : g_steal_pointer (&figure);
}

static char *
code_title (GVariant *view)
{
  const char *title = ls_params_string (view, "title", "");

  return g_strdup (strcmp (title, "Trace") == 0 ? _("Trace") : strcmp (title, "Code") == 0 ? _("Code") : strcmp (title, "Machine code") == 0 ? _("Machine code") : title);
}

char *
ls_view_title (GVariant *view)
{
  const char *kind = ls_params_string (view, "kind", "text");
  guint n;
  char *title = NULL;

  if (ls_params_string (view, "refused", NULL) != NULL)
    title = g_strdup_printf (_("Where %s is refused"), ls_params_string (view, "refused", NULL));
  else if (strcmp (kind, "schedule") == 0)
    {
      n = (guint) ls_params_int (view, "steps", 0);
      title = g_strdup_printf (ngettext ("Schedule, %u step", "Schedule, %u steps", n), n);
    }
  else if (strcmp (kind, "graph") == 0)
    {
      n = count_of (view, "rows");
      title = g_strdup_printf (ngettext ("torch.fx graph, %u node", "torch.fx graph, %u nodes", n), n);
    }
  else if (strcmp (kind, "timing") == 0)
    title = timing_title (view);
  else if (strcmp (kind, "table") == 0)
    title = table_title (view);
  else if (strcmp (kind, "picture") == 0)
    title = figure_title (view);
  else if (strcmp (kind, "code") == 0)
    title = code_title (view);
  return title != NULL ? title : g_strdup (ls_params_string (view, "title", ""));
}
