/* tune/kinds: see the header.  A grid of labels, made anew when something in it is another; what the search measures on is strong. */
#include "views/tune/kinds.h"

#include "views/models/format.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

/* What is shown, in one text: unchanged rows are left alone. (transfer full) */
static char *
print_of (GArray *kinds)
{
  GString *print = g_string_new (NULL);

  for (guint i = 0; kinds != NULL && i < kinds->len; i++)
    {
      const LsTuningKind *kind = &g_array_index (kinds, LsTuningKind, i);

      g_string_append_printf (print, "%s %u %.9g %d\n", kind->name, kind->programs, kind->best, kind->here);
    }
  return g_string_free (print, FALSE);
}

static void
put (GtkGrid    *grid,
     const char *text,
     const char *css_class,
     int         column,
     int         row)
{
  GtkWidget *label = ls_part_label_at (text, css_class, column == 0 ? 0.0f : 1.0f);

  if (column == 0)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), 16);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
    }
  gtk_grid_attach (grid, label, column, row, 1, 1);
}

static const LsTuningKind *
kind_here (GArray *kinds)
{
  for (guint i = 0; i < kinds->len; i++)
    if (g_array_index (kinds, LsTuningKind, i).here)
      return &g_array_index (kinds, LsTuningKind, i);
  return NULL;
}

/* A kind that is faster than where one searches, or slower: by how much. (transfer full) */
static char *
beside_here (const LsTuningKind *kind,
             const LsTuningKind *here)
{
  if (here == NULL || here == kind || kind->best <= 0.0 || here->best <= 0.0)
    return g_strdup ("");
  return g_strdup_printf ("×%.3g", kind->best / here->best);
}

static void
fill (GtkGrid *grid,
      GArray  *kinds)
{
  const LsTuningKind *here = kind_here (kinds);
  const char *heads[] = { _("Kind of machine"), _("Programs"), _("Best time"), _("Of the time here") };

  for (int column = 0; column < (int) G_N_ELEMENTS (heads); column++)
    put (grid, heads[column], "caption", column, 0);
  for (guint i = 0; i < kinds->len; i++)
    {
      const LsTuningKind *kind = &g_array_index (kinds, LsTuningKind, i);
      g_autofree char *programs = g_strdup_printf ("%u", kind->programs), *time = ls_format_time (kind->best), *beside = beside_here (kind, here);
      const char *texts[] = { kind->name, programs, time, beside };

      for (int column = 0; column < (int) G_N_ELEMENTS (texts); column++)
        put (grid, texts[column], kind->here ? "strong" : column == 0 ? NULL : "figure", column, (int) i + 1);
    }
}

GtkWidget *
ls_kinds_table_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Results by kind of machine"), -1);
  return grid;
}

void
ls_kinds_table_set (GtkWidget *grid,
                   LsTuning  *tuning)
{
  GArray *kinds = tuning != NULL ? ls_tuning_get_kinds (tuning) : NULL;
  char *print = print_of (kinds);
  GtkWidget *child;

  if (g_strcmp0 (g_object_get_data (G_OBJECT (grid), "shown"), print) == 0)
    {
      g_free (print);
      return;
    }
  g_object_set_data_full (G_OBJECT (grid), "shown", print, g_free);
  while ((child = gtk_widget_get_first_child (grid)) != NULL)
    gtk_grid_remove (GTK_GRID (grid), child);
  if (kinds != NULL)
    fill (GTK_GRID (grid), kinds);
}
