/* why/times: a row for each measured step: number, name, what it took off the step before, its time. */
#include "views/why/times.h"

#include "views/history/step-cell.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/time/figures.h"

#include <glib/gi18n.h>

#define MOST 12
#define BAR_WIDTH 72

GtkWidget *
ls_why_times_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Times of the steps"), -1);
  return grid;
}

static void
put_row (GtkWidget  *grid,
         GListModel *path,
         LsStepItem *item,
         double      top,
         int         row)
{
  const LsStepRecord *record = ls_step_item_get (item), *before = ls_time_before (path, item);
  g_autofree char *tag = ls_step_item_tag (item), *time = ls_time_figure_text (item, LS_TIME_MEDIAN, ls_format_time_unit (top), TRUE, path);
  g_autofree char *faster = ls_time_figure_text (item, LS_TIME_FASTER, ls_format_time_unit (top), TRUE, path);
  GtkWidget *name = ls_part_label (record->number == 0 ? _("as opened") : record->name, "code"), *bar = ls_step_cell_new (LS_STEP_CELL_RANGE);
  GtkWidget *factor = ls_part_label_at (NULL, "figure", 1.0f), *figure = ls_part_label_at (NULL, "figure", 1.0f);

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (name), 8);
  gtk_label_set_max_width_chars (GTK_LABEL (name), 18);
  ls_tip_set (name, record->call);
  ls_step_cell_set_axis (LS_STEP_CELL (bar), top, 0);
  ls_step_cell_set_fall (LS_STEP_CELL (bar), TRUE, before != NULL ? before->timing.median : 0.0);
  ls_step_cell_set_item (LS_STEP_CELL (bar), item);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_size_request (bar, BAR_WIDTH, -1);
  ls_part_set_figure (GTK_LABEL (figure), time);
  ls_part_set_figure (GTK_LABEL (factor), faster);
  ls_tip_set (figure, record->conditions);
  gtk_grid_attach (GTK_GRID (grid), ls_part_label (tag, ls_step_item_is_current (item) ? "strong" : NULL), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), name, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), bar, 2, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), figure, 3, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), factor, 4, row, 1, 1);
}

static gboolean
has_time (LsStepItem *item)
{
  const LsStepRecord *record = ls_step_item_get (item);

  return record->timing.samples > 0 && record->state != LS_STEP_STALE;
}

gboolean
ls_why_times_fill (GtkWidget *grid,
                   LsSession *session)
{
  GListModel *path = ls_session_get_shown (session);
  guint n = g_list_model_get_n_items (path), all = 0;
  double top = 0.0;
  GtkWidget *child;
  g_autofree char *head = NULL;
  int row = 1;

  while ((child = gtk_widget_get_first_child (grid)) != NULL)
    gtk_grid_remove (GTK_GRID (grid), child);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      all += has_time (item);
      top = has_time (item) ? MAX (top, ls_step_item_get (item)->timing.q3) : top;
    }
  if (all == 0)
    return FALSE;
  head = g_strdup (ls_time_unit_name (ls_format_time_unit (top)));
  gtk_grid_attach (GTK_GRID (grid), ls_part_label (_("Step"), "caption"), 0, 0, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), ls_part_label_at (head, "caption", 1.0f), 3, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), ls_part_label_at (C_("column", "factor"), "caption", 1.0f), 4, 0, 1, 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      /* The last ones, where there are many. */
      if (!has_time (item) || all-- > MOST)
        continue;
      put_row (grid, path, item, top * 1.05, row++);
    }
  return TRUE;
}
