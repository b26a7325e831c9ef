/* access/table: see the header.  Cold misses are the same in all caches and stand once. */
#include "app/access/table.h"

#include "views/models/format.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define MOST_ROWS 8

GtkWidget *
ls_access_table_new (void)
{
  GtkWidget *table = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (table), 14);
  gtk_grid_set_row_spacing (GTK_GRID (table), 2);
  gtk_widget_add_css_class (table, "access-table");
  gtk_widget_set_halign (table, GTK_ALIGN_START);
  gtk_widget_set_visible (table, FALSE);
  return table;
}

static void
put (GtkWidget  *table,
     int         column,
     int         row,
     const char *text,
     const char *look,
     const char *tip)
{
  GtkWidget *label = ls_part_label_at (text, look, column == 0 ? 0.0f : 1.0f);

  gtk_widget_set_tooltip_text (label, tip);
  gtk_grid_attach (GTK_GRID (table), label, column, row, 1, 1);
}

static void
put_head (GtkWidget        *table,
          const LsLocality *locality)
{
  put (table, 0, 0, _("Buffer"), "caption", NULL);
  put (table, 1, 0, _("Reuse distance"), "caption", _("Other cache lines touched between two touches of a line: least, median, most"));
  put (table, 2, 0, _("Cold"), "caption", _("First touches of a line: every cache misses them"));
  for (guint i = 0; i < locality->n_levels; i++)
    {
      g_autofree char *head = g_strdup_printf ("L%u", i + 1);

      put (table, 3 + (int) i, 0, head, "caption", _("Capacity misses (c), which every cache of that size has, and conflict misses (x), which come of its sets"));
    }
}

static void
put_row (GtkWidget           *table,
         int                  row,
         const char          *name,
         const LsLocalityRow *figures,
         guint                n_levels)
{
  g_autofree char *least = ls_format_count (figures->min), *median = ls_format_count (figures->median), *most = ls_format_count (figures->max);
  g_autofree char *distance = figures->min < 0 ? g_strdup ("–") : g_strdup_printf ("%s · %s · %s", least, median, most);
  g_autofree char *cold = ls_format_count (figures->cold);

  put (table, 0, row, name, "code", NULL);
  put (table, 1, row, distance, "figure", NULL);
  put (table, 2, row, cold, "figure", NULL);
  for (guint i = 0; i < n_levels; i++)
    {
      g_autofree char *capacity = ls_format_count (figures->misses[i].capacity), *conflict = ls_format_count (figures->misses[i].conflict);
      g_autofree char *both = g_strdup_printf ("%s c · %s x", capacity, conflict);
      gboolean none = figures->misses[i].capacity == 0 && figures->misses[i].conflict == 0;

      put (table, 3 + (int) i, row, none ? "–" : both, "figure", NULL);
    }
}

void
ls_access_table_set (GtkWidget           *table,
                     const LsAccessOrder *order,
                     const LsLocality    *locality)
{
  GtkWidget *child;
  guint n;

  while ((child = gtk_widget_get_first_child (table)) != NULL)
    gtk_grid_remove (GTK_GRID (table), child);
  gtk_widget_set_visible (table, locality != NULL && locality->all.touches > 0);
  if (locality == NULL)
    return;
  put_head (table, locality);
  n = MIN (locality->n_buffers, MOST_ROWS);
  for (guint i = 0; i < n; i++)
    put_row (table, 1 + (int) i, g_array_index (order->buffers, LsAccessBuffer, i).name, &locality->buffers[i], locality->n_levels);
  put_row (table, 1 + (int) n, _("all"), &locality->all, locality->n_levels);
}

char *
ls_access_table_words (const LsLocality *locality,
                       gboolean          known)
{
  g_autoptr (GString) levels = g_string_new (NULL);

  for (guint i = 0; i < locality->n_levels; i++)
    {
      g_autofree char *size = ls_format_bytes (locality->levels[i].bytes);

      g_string_append (levels, i > 0 ? ", " : "");
      /* Translators: a cache: L1 32 KiB with 8 ways */
      g_string_append_printf (levels, _("L%u %s with %u ways"), i + 1, size, locality->levels[i].ways);
    }
  return g_strdup_printf (known ? _("Simulated, in lines: the caches of this machine, %s. c: too small; x: too few places in a set.")
                                 : _("Simulated, in lines: assumed caches, %s. c: too small; x: too few places in a set."), levels->str);
}
