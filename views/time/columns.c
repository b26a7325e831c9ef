/* time/columns: the columns of the times, their cells and how they share the width. */
#include "views/time/view-private.h"

#include "views/models/format.h"
#include "views/parts/column-header.h"
#include "views/parts/fit-label.h"
#include "views/parts/later.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

#define CHART_LEAST 140         /* below it the quartiles go, which the drawing has, then the least times */

void
ls_time_columns_set_fall (LsTimeView *self,
                          LsStepCell *cell)
{
  const LsStepRecord *before = self->waterfall && ls_step_cell_get_item (cell) != NULL
                                 ? ls_time_before (ls_session_get_path (self->session), ls_step_cell_get_item (cell)) : NULL;

  ls_step_cell_set_fall (cell, self->waterfall, before != NULL ? before->timing.median : 0.0);
}

/* ---- cells -------------------------------------------------------------- */

static void
update_figure (LsFitLabel *label)
{
  LsTimeView *self = g_object_get_data (G_OBJECT (label), "ls-view");
  LsStepItem *item = g_object_get_data (G_OBJECT (label), "ls-item");
  LsTimeFigure figure = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "ls-figure"));
  const LsStepRecord *record = ls_step_item_get (item);
  g_autofree char *text = ls_time_figure_text (item, figure, ls_format_time_unit (self->top), self->waterfall,
                                               ls_session_get_path (self->session));
  gboolean stale = record->state == LS_STEP_STALE && figure != LS_TIME_NUMBER && figure != LS_TIME_NAME;

  ls_fit_label_set_figure (label, text);
  if (stale)
    gtk_widget_add_css_class (GTK_WIDGET (label), "stale");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (label), "stale");
  if (figure == LS_TIME_FASTER && record->no_difference)
    gtk_widget_remove_css_class (GTK_WIDGET (label), "strong");
  else if (figure == LS_TIME_FASTER)
    gtk_widget_add_css_class (GTK_WIDGET (label), "strong");
  if (figure == LS_TIME_NAME)
    ls_tip_set (GTK_WIDGET (label), record->call);
  if (figure == LS_TIME_MEDIAN || figure == LS_TIME_IQR || figure == LS_TIME_MIN)
    ls_tip_set (GTK_WIDGET (label), record->conditions);
}

static void
setup_figure (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              gpointer                  figure)
{
  GtkWidget *label = ls_fit_label_new ();

  ls_fit_label_set_xalign (LS_FIT_LABEL (label), GPOINTER_TO_UINT (figure) <= LS_TIME_NAME ? 0.0f : 1.0f);
  gtk_widget_add_css_class (label, GPOINTER_TO_UINT (figure) == LS_TIME_NAME ? "code" : "figure");
  if (GPOINTER_TO_UINT (figure) == LS_TIME_NUMBER || GPOINTER_TO_UINT (figure) == LS_TIME_MEDIAN ||
      GPOINTER_TO_UINT (figure) == LS_TIME_FASTER)
    gtk_widget_add_css_class (label, "strong");
  g_object_set_data (G_OBJECT (label), "ls-figure", figure);
  gtk_list_item_set_child (list_item, label);
}

static void
bind_figure (LsTimeView               *self,
             GtkListItem              *list_item,
             GtkSignalListItemFactory *factory)
{
  GtkWidget *label = gtk_list_item_get_child (list_item);
  LsStepItem *item = gtk_list_item_get_item (list_item);

  g_object_set_data (G_OBJECT (label), "ls-view", self);
  g_object_set_data_full (G_OBJECT (label), "ls-item", g_object_ref (item), g_object_unref);
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update_figure), label);
  update_figure (LS_FIT_LABEL (label));
}

static void
unbind_figure (LsTimeView               *self,
               GtkListItem              *list_item,
               GtkSignalListItemFactory *factory)
{
  GtkWidget *label = gtk_list_item_get_child (list_item);

  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), update_figure, label);
  g_object_set_data (G_OBJECT (label), "ls-item", NULL);
}

static void
setup_range (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             LsTimeView               *self)
{
  gtk_list_item_set_child (list_item, ls_step_cell_new (LS_STEP_CELL_RANGE));
}

static void
bind_range (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsTimeView               *self)
{
  LsStepCell *cell = LS_STEP_CELL (gtk_list_item_get_child (list_item));

  ls_step_cell_set_item (cell, gtk_list_item_get_item (list_item));
  ls_step_cell_set_axis (cell, self->top, self->ticks);
  ls_time_columns_set_fall (self, cell);
  g_ptr_array_add (self->ranges, cell);
}

static void
unbind_range (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              LsTimeView               *self)
{
  LsStepCell *cell = LS_STEP_CELL (gtk_list_item_get_child (list_item));

  ls_step_cell_set_item (cell, NULL);
  g_ptr_array_remove_fast (self->ranges, cell);
}

/* ---- columns ------------------------------------------------------------ */

static GtkColumnViewColumn *
add_column (LsTimeView         *self,
            const char         *title,
            GtkListItemFactory *factory)
{
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);

  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  return column;
}

static void
add_figure_column (LsTimeView  *self,
                   const char  *title,
                   LsTimeFigure figure)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_figure), GUINT_TO_POINTER (figure));
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_figure), self);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_figure), self);
  self->columns[figure] = add_column (self, title, factory);
}

void
ls_time_columns_fit (LsTimeView *self)
{
  static const struct { LsTimeFigure figure; const char *sample; int extra; } widths[] = {
    { LS_TIME_NUMBER, "12′", 18 },
    { LS_TIME_NAME, "reverse_compute_at0", 22 },
    { LS_TIME_MIN, "99.99", 20 },
    { LS_TIME_MEDIAN, "median", 22 },
    { LS_TIME_IQR, "99.99 – 99.99", 12 },
    { LS_TIME_FASTER, NULL, 24 },
  };

  /* In bold, which the column is; a thousand times slower still has its words. */
  g_autofree char *slower = ls_format_speedup (0.00092);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    ls_column_fit (GTK_WIDGET (self), self->columns[widths[i].figure],
                   widths[i].sample != NULL ? widths[i].sample : slower, widths[i].extra + (widths[i].sample != NULL ? 0 : 14));
}

/* Not by set_visible(): GTK 4.8 keeps the room of a hidden column. */
static void
show_column (LsTimeView  *self,
             LsTimeFigure figure,
             gboolean     visible)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  GtkColumnViewColumn *next = self->columns[figure + 1];
  GListModel *columns = gtk_column_view_get_columns (view);

  if (visible == (gtk_column_view_column_get_column_view (self->columns[figure]) != NULL))
    return;
  if (!visible)
    {
      gtk_column_view_remove_column (view, self->columns[figure]);
      return;
    }
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (column != next)
        continue;
      gtk_column_view_insert_column (view, i, self->columns[figure]);
      ls_column_header_align_again (view, gtk_column_view_column_get_title (self->columns[figure]));
      return;
    }
}

/* The drawing gets what the columns leave it, and some of them make room for it. */
static void
share_width (gpointer data)
{
  LsTimeView *self = data;
  static const LsTimeFigure less[] = { LS_TIME_IQR, LS_TIME_MIN };
  int room = (int) gtk_adjustment_get_page_size (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)));

  for (guint i = 0; i < LS_TIME_N_FIGURES; i++)
    room -= gtk_column_view_column_get_fixed_width (self->columns[i]);
  for (guint i = 0; i < G_N_ELEMENTS (less); i++)
    {
      show_column (self, less[i], room >= CHART_LEAST);
      if (room < CHART_LEAST)
        room += gtk_column_view_column_get_fixed_width (self->columns[less[i]]);
    }
}

void
ls_time_columns_share (LsTimeView *self)
{
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, share_width);
}

void
ls_time_columns_add (LsTimeView *self)
{
  GtkListItemFactory *range = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_signal_connect (range, "setup", G_CALLBACK (setup_range), self);
  g_signal_connect (range, "bind", G_CALLBACK (bind_range), self);
  g_signal_connect (range, "unbind", G_CALLBACK (unbind_range), self);

  add_figure_column (self, NULL, LS_TIME_NUMBER);
  add_figure_column (self, _("Step"), LS_TIME_NAME);
  column = add_column (self, NULL, range);
  gtk_column_view_column_set_expand (column, TRUE);
  add_figure_column (self, _("min"), LS_TIME_MIN);
  add_figure_column (self, _("median"), LS_TIME_MEDIAN);
  add_figure_column (self, _("IQR"), LS_TIME_IQR);
  add_figure_column (self, _("faster"), LS_TIME_FASTER);
  for (guint i = 3; i <= 6; i++)
    ls_column_header_align_end (GTK_COLUMN_VIEW (self->view), i);
  self->axis = ls_step_cell_new (LS_STEP_CELL_AXIS);
  ls_column_header_put (GTK_COLUMN_VIEW (self->view), 2, g_object_ref_sink (self->axis));
  ls_time_columns_fit (self);
}
