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

/* Over several columns, in the middle. */
static void
put_over (GtkWidget  *table,
          int         column,
          int         width,
          const char *text,
          const char *tip)
{
  GtkWidget *label = ls_part_label_at (text, "caption", 0.5f);

  gtk_label_set_xalign (GTK_LABEL (label), width > 1 ? 0.5f : 1.0f);
  gtk_widget_set_tooltip_text (label, tip);
  gtk_grid_attach (GTK_GRID (table), label, column, 0, width, 1);
}

/* A cache that misses nothing but first touches has one column, without a figure. */
static gboolean
misses (const LsLocality *locality,
        guint             level)
{
  return locality->all.misses[level].capacity != 0 || locality->all.misses[level].conflict != 0;
}

#define FIRST_LEVEL 5           /* column */

static void
put_head (GtkWidget        *table,
          const LsLocality *locality)
{
  const char *why = _("Capacity misses, which every cache of that size has, and conflict misses, which come from its sets");
  int column = FIRST_LEVEL;

  put (table, 0, 1, _("Buffer"), "caption", NULL);
  put_over (table, 1, 3, _("Reuse distance"), _("Other cache lines touched between two touches of a line: least, median, most"));
  put (table, 1, 1, C_("reuse distance", "least"), "caption", NULL);
  put (table, 2, 1, C_("reuse distance", "median"), "caption", NULL);
  put (table, 3, 1, C_("reuse distance", "most"), "caption", NULL);
  put (table, 4, 1, _("Cold"), "caption", _("First touches of a line: every cache misses them"));
  for (guint i = 0; i < locality->n_levels; i++)
    {
      g_autofree char *head = g_strdup_printf ("L%u", i + 1);
      gboolean both = misses (locality, i);

      put_over (table, column, both ? 2 : 1, head, why);
      if (both)
        put (table, column, 1, C_("misses", "capacity"), "caption", why);
      if (both)
        put (table, column + 1, 1, C_("misses", "conflict"), "caption", why);
      else
        put (table, column, 1, C_("misses", "none"), "caption", why);
      column += both ? 2 : 1;
    }
}

static void
put_count (GtkWidget *table,
           int        column,
           int        row,
           gint64     n)
{
  g_autofree char *text = n >= 0 ? ls_format_count (n) : g_strdup ("–");

  put (table, column, row, text, "figure", NULL);
}

static void
put_row (GtkWidget           *table,
         int                  row,
         const char          *name,
         const LsLocalityRow *figures,
         const LsLocality    *locality)
{
  gboolean again = figures->min >= 0;
  int column = FIRST_LEVEL;

  put (table, 0, row, name, "code", NULL);
  put_count (table, 1, row, again ? figures->min : -1);
  put_count (table, 2, row, again ? figures->median : -1);
  put_count (table, 3, row, again ? figures->max : -1);
  put_count (table, 4, row, figures->cold);
  for (guint i = 0; i < locality->n_levels; i++)
    if (misses (locality, i))
      {
        put_count (table, column++, row, figures->misses[i].capacity);
        put_count (table, column++, row, figures->misses[i].conflict);
      }
    else
      column++;
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
    put_row (table, 2 + (int) i, g_array_index (order->buffers, LsAccessBuffer, i).name, &locality->buffers[i], locality);
  put_row (table, 2 + (int) n, _("all"), &locality->all, locality);
}

/* ---- all accesses ----------------------------------------------------------------------- */

static void
put_all_row (GtkWidget            *table,
             int                   row,
             const LsMemoryBuffer *figures,
             const char           *name,
             const LsMemoryLab    *memory)
{
  put (table, 0, row, name, "code", NULL);
  put_count (table, 1, row, (gint64) figures->accesses);
  put_count (table, 2, row, (gint64) figures->misses[0].cold);
  for (guint i = 0; i < memory->options.n_levels; i++)
    {
      put_count (table, 3 + 2 * (int) i, row, (gint64) figures->misses[i].capacity);
      put_count (table, 4 + 2 * (int) i, row, (gint64) figures->misses[i].conflict);
    }
}

void
ls_access_table_set_all (GtkWidget         *table,
                         const LsMemoryLab *memory)
{
  const char *why = _("Capacity misses, which every cache of that size has, and conflict misses, which come from its sets");
  GtkWidget *child;
  guint n = MIN (memory->buffers->len, MOST_ROWS);

  while ((child = gtk_widget_get_first_child (table)) != NULL)
    gtk_grid_remove (GTK_GRID (table), child);
  put (table, 0, 1, _("Buffer"), "caption", NULL);
  put (table, 1, 1, _("Accesses"), "caption", NULL);
  put (table, 2, 1, _("Cold"), "caption", _("First touches of a line: every cache misses them"));
  for (guint i = 0; i < memory->options.n_levels; i++)
    {
      g_autofree char *head = g_strdup_printf ("L%u", i + 1);

      put_over (table, 3 + 2 * (int) i, 2, head, why);
      put (table, 3 + 2 * (int) i, 1, C_("misses", "capacity"), "caption", why);
      put (table, 4 + 2 * (int) i, 1, C_("misses", "conflict"), "caption", why);
    }
  for (guint i = 0; i < n; i++)
    put_all_row (table, 2 + (int) i, &g_array_index (memory->buffers, LsMemoryBuffer, i), g_array_index (memory->buffers, LsMemoryBuffer, i).name, memory);
  put_all_row (table, 2 + (int) n, &memory->all, _("all"), memory);
  gtk_widget_set_visible (table, TRUE);
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
      g_string_append_printf (levels, ngettext ("L%u %s with %u way", "L%u %s with %u ways", locality->levels[i].ways), i + 1, size, locality->levels[i].ways);
    }
  return g_strdup_printf (known ? _("Simulated, in lines: the caches of this machine, %s. Capacity misses come from a cache's size, conflict misses from its sets.")
                                 : _("Simulated, in lines: assumed caches, %s. Capacity misses come from a cache's size, conflict misses from its sets."), levels->str);
}
