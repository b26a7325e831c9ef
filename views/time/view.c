/* LsTimeView: a GtkColumnView over the steps of the shown path.
 *
 * All range cells share one axis from 0 to a round figure above the largest third
 * quartile, and all figures one unit.  A step change tells the view five times; it follows once, in a
 * turn of its own before the next frame.
 */
#include "views/time/view.h"

#include "views/canvas/draw-range.h"
#include "views/history/step-cell.h"
#include "views/models/format.h"
#include "views/models/list-store.h"
#include "views/parts/parts.h"
#include "views/parts/column-header.h"
#include "views/parts/fit-label.h"
#include "views/parts/scroller.h"
#include "views/parts/status.h"
#include "views/parts/tip.h"
#include "views/parts/tab-stop.h"
#include "views/time/figures.h"
#include "views/time/roofline.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>

#define HEADER_HEIGHT 24
#define ROW_HEIGHT 19
#define FOLLOW_PRIORITY (GDK_PRIORITY_REDRAW - 5)
#define CHART_LEAST 140         /* below it the quartiles go, which the drawing has, then the least times */
#define PARTS "\u00a0· "        /* as LS_PARTS, but a line may end after the dot, not before it */

enum { PROP_0, PROP_WATERFALL, PROP_ROOFLINE, N_PROPS };

static GParamSpec *props[N_PROPS];

struct _LsTimeView
{
  GtkWidget           parent_instance;

  LsSession          *session;
  GtkSingleSelection *selection;
  GPtrArray          *ranges;   /* bound range cells, borrowed */
  GtkWidget          *axis;
  GtkColumnViewColumn *columns[LS_TIME_N_FIGURES];
  double              top;
  guint               ticks;
  gboolean            syncing;
  gboolean            waterfall;
  gboolean            roofline; /* in the place of the rows */
  gboolean            low;
  GListStore         *rows;     /* the path of the session, as of the last turn */

  GtkWidget          *box;
  GtkWidget          *fold;
  GtkWidget          *fold_icon;
  GtkWidget          *waterfall_button;
  GtkWidget          *roofline_button;
  GtkWidget          *roofline_view;
  GtkWidget          *headline;
  GtkWidget          *subtitle;
  GtkWidget          *measure;
  GtkWidget          *cancel;
  GtkWidget          *error_box;
  GtkWidget          *error;
  GtkWidget          *stack;
  GtkWidget          *status;
  GtkWidget          *scroller;
  GtkWidget          *view;
};

G_DEFINE_FINAL_TYPE (LsTimeView, ls_time_view, GTK_TYPE_WIDGET)


static void
set_fall (LsTimeView *self,
          LsStepCell *cell)
{
  const LsStepRecord *before = self->waterfall && ls_step_cell_get_item (cell) != NULL
                                 ? ls_time_before (ls_session_get_path (self->session), ls_step_cell_get_item (cell)) : NULL;

  ls_step_cell_set_fall (cell, self->waterfall, before != NULL ? before->timing.median : 0.0);
}

/* ---- cells -------------------------------------------------------------- */

static void
update_figure (GtkLabel *label)
{
  LsTimeView *self = g_object_get_data (G_OBJECT (label), "ls-view");
  LsStepItem *item = g_object_get_data (G_OBJECT (label), "ls-item");
  LsTimeFigure figure = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "ls-figure"));
  const LsStepRecord *record = ls_step_item_get (item);
  g_autofree char *text = ls_time_figure_text (item, figure, ls_format_time_unit (self->top), self->waterfall,
                                               ls_session_get_path (self->session));
  gboolean stale = record->state == LS_STEP_STALE && figure != LS_TIME_NUMBER && figure != LS_TIME_NAME;

  ls_part_set_figure (label, text);
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
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), GPOINTER_TO_UINT (figure) <= LS_TIME_NAME ? 0.0f : 1.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
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
  update_figure (GTK_LABEL (label));
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
  set_fall (self, cell);
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

static void
fit_columns (LsTimeView *self)
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

static void
queue_share (LsTimeView *self)
{
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, share_width);
}

static void
ls_time_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_time_view_parent_class)->css_changed (widget, change);
  if (LS_TIME_VIEW (widget)->columns[LS_TIME_FASTER] != NULL)
    {
      fit_columns (LS_TIME_VIEW (widget));
      queue_share (LS_TIME_VIEW (widget));
    }
}

static void
add_columns (LsTimeView *self)
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
  fit_columns (self);
}

/* ---- following the session ---------------------------------------------- */

static int
row_height (LsTimeView *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->view, "Ag");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

static double
largest (LsTimeView *self)
{
  GListModel *path = ls_session_get_path (self->session);
  double top = 0.0;

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);
      const LsStepTime *timing = &ls_step_item_get (item)->timing;

      if (timing->samples > 0)
        top = MAX (top, timing->q3);
    }

  return top;
}

static void
update_axis (LsTimeView *self)
{
  double top = largest (self);
  LsTimeUnit before = ls_format_time_unit (self->top);

  self->ticks = 0;
  self->top = 1.0;
  if (top > 0.0)
    self->top = ls_range_axis (top, &self->ticks);
  ls_step_cell_set_axis (LS_STEP_CELL (self->axis), self->top, self->ticks);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      ls_step_cell_set_axis (g_ptr_array_index (self->ranges, i), self->top, self->ticks);
      set_fall (self, g_ptr_array_index (self->ranges, i));
    }
  if (before != ls_format_time_unit (self->top))
    for (guint i = 0; i < g_list_model_get_n_items (ls_session_get_path (self->session)); i++)
      {
        g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (self->session),
                                                             i);

        g_signal_emit_by_name (item, "changed");
      }
}

static char *
running_text (LsTimeView *self)
{
  GListModel *path = ls_session_get_path (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);
      const LsStepRecord *record = ls_step_item_get (item);

      if (record->state == LS_STEP_RUNNING)
        return g_strdup_printf (_("step %u: sample %u of %u"), record->number, record->done,
                                record->total);
    }

  return NULL;
}

/* The unit and whether the output is right stay; what lies between goes from its end. */
static void
set_subtitle (LsTimeView *self,
              const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, LS_PARTS, -1);
  guint n = g_strv_length (parts);
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *whole = NULL;

  whole = g_strjoinv (PARTS, parts);
  g_strv_builder_add (texts, whole);
  for (guint kept = n; kept-- > 2;)
    {
      g_autofree char *last = g_steal_pointer (&parts[kept]), *brief = NULL;

      g_clear_pointer (&parts[kept - 1], g_free);
      parts[kept - 1] = g_steal_pointer (&last);
      brief = g_strjoinv (PARTS, parts);
      g_strv_builder_add (texts, brief);
    }
  all = g_strv_builder_end (texts);
  ls_fit_label_set (LS_FIT_LABEL (self->subtitle), (const char *const *) all);
}

static void
update_headline (LsTimeView *self)
{
  LsStepItem *current = ls_session_get_current (self->session);
  const LsStepRecord *record = current != NULL ? ls_step_item_get (current) : NULL;
  const char *conditions = ls_session_get_conditions (self->session);
  gboolean folded = ls_time_view_get_folded (self);
  g_autofree char *time = NULL, *speedup = NULL, *running = running_text (self);
  g_autofree char *rest = NULL;

  if (record != NULL && record->timing.samples > 0 && record->state == LS_STEP_MEASURED)
    {
      time = ls_format_time_spread (record->timing.median,
                                    (record->timing.q3 - record->timing.q1) / 2.0);
      speedup = record->speedup > 0.0 ? ls_format_speedup (record->speedup) : NULL;
    }
  gtk_widget_set_visible (self->headline, folded && time != NULL);
  gtk_label_set_label (GTK_LABEL (self->headline), time != NULL ? time : "");
  if (folded)
    rest = g_strjoin ("   ", speedup != NULL ? speedup : "", running, NULL);
  else if (self->ticks > 0)
    {
      /* Translators: what the figures are, and their unit: median, ms */
      g_autofree char *what = g_strdup_printf (_("median, %s"), ls_time_unit_name (ls_format_time_unit (self->top)));

      rest = g_strjoin (LS_PARTS, what, conditions, NULL);
    }
  set_subtitle (self, rest != NULL ? rest : "");
  ls_tip_set (self->subtitle, record != NULL && record->conditions != NULL ? record->conditions : conditions);
}

static void
update_status (LsTimeView *self)
{
  LsStepItem *current = ls_session_get_current (self->session);
  g_autofree char *button = NULL;

  if (current != NULL)
    button = g_strdup_printf (_("Measure step %u"), ls_step_item_get (current)->number);
  ls_status_set (LS_STATUS (self->status), _("Not measured yet."), button, "win.measure", NULL);
}

static gboolean
anything_to_show (LsTimeView *self)
{
  GListModel *path = ls_session_get_path (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      if (ls_step_item_get (item)->timing.samples > 0 ||
          ls_step_item_get (item)->state == LS_STEP_RUNNING)
        return TRUE;
    }

  return FALSE;
}

/* All rows up to eight; more scroll. */
static void
update_height (LsTimeView *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_path (self->session));
  int row = MAX (ROW_HEIGHT, row_height (self));

  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller),
                                              HEADER_HEIGHT + row * (int) CLAMP (n, 1, 8) + 4);
}

/* Why nothing was measured; else why the shown step has no time: its output is another one, or it did not end. */
static const char *
find_error (LsTimeView *self)
{
  const char *error = ls_session_get_time_error (self->session);
  LsStepItem *current = ls_session_get_current (self->session);
  const LsStepRecord *step = current != NULL ? ls_step_item_get (current) : NULL;

  return error == NULL && step != NULL && step->state == LS_STEP_FAILED && !step->stops ? step->reason : error;
}

static void
update (LsTimeView *self)
{
  const char *error = find_error (self);
  gboolean running = ls_session_is_running (self->session);
  gboolean folded = ls_time_view_get_folded (self);

  update_height (self);
  update_axis (self);
  update_headline (self);
  update_status (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->roofline ? "roofline" : anything_to_show (self) ? "list" : "empty");
  gtk_widget_set_visible (self->stack, !folded);
  gtk_widget_set_visible (self->error_box, error != NULL);
  gtk_label_set_label (GTK_LABEL (self->error), error != NULL ? error : "");
  gtk_widget_set_visible (self->waterfall_button, !folded && !self->roofline && anything_to_show (self));
  gtk_widget_set_visible (self->roofline_button, !folded && ls_session_get_current (self->session) != NULL);
  gtk_widget_set_visible (self->cancel, running);
  gtk_widget_set_visible (self->measure, !running && ls_session_get_current (self->session));
  gtk_image_set_from_icon_name (GTK_IMAGE (self->fold_icon),
                                folded ? "pan-end-symbolic" : "pan-down-symbolic");
}

static void
follow (gpointer data)
{
  LsTimeView *self = data;

  self->syncing = TRUE;
  ls_list_store_follow (self->rows, ls_session_get_path (self->session));
  gtk_single_selection_set_selected (self->selection, ls_session_get_position (self->session));
  self->syncing = FALSE;
  update (self);
}

static void
queue_follow (LsTimeView *self)
{
  ls_later (self, FOLLOW_PRIORITY, 0, follow);
}

static void
selection_changed (LsTimeView *self)
{
  LsStepItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->syncing && item != NULL && item != ls_session_get_current (self->session))
    ls_session_go_to (self->session, ls_step_item_get (item)->id);
}

/* ---- waterfall ----------------------------------------------------------- */

static void
set_waterfall (LsTimeView *self,
               gboolean    waterfall)
{
  GListModel *path = self->session != NULL ? G_LIST_MODEL (ls_session_get_path (self->session)) : NULL;

  self->waterfall = waterfall;
  gtk_column_view_column_set_title (self->columns[LS_TIME_FASTER], waterfall ? _("than before") : _("faster"));
  if (path == NULL)
    return;
  if (waterfall)
    ls_time_view_set_folded (self, FALSE);
  update (self);
  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      g_signal_emit_by_name (item, "changed");
    }
}

/* ---- roofline ------------------------------------------------------------- */

/* Made when it is first asked for. */
static void
set_roofline (LsTimeView *self,
              gboolean    roofline)
{
  self->roofline = roofline;
  if (self->session == NULL)
    return;
  if (roofline && self->roofline_view == NULL)
    {
      self->roofline_view = ls_roofline_view_new ();
      ls_roofline_view_set_low (LS_ROOFLINE_VIEW (self->roofline_view), self->low);
      ls_roofline_view_set_session (LS_ROOFLINE_VIEW (self->roofline_view), self->session);
      gtk_stack_add_named (GTK_STACK (self->stack), self->roofline_view, "roofline");
    }
  if (roofline)
    ls_time_view_set_folded (self, FALSE);
  update (self);
}

static void
ls_time_view_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *spec)
{
  if (id == PROP_WATERFALL)
    g_value_set_boolean (value, LS_TIME_VIEW (object)->waterfall);
  else if (id == PROP_ROOFLINE)
    g_value_set_boolean (value, LS_TIME_VIEW (object)->roofline);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
ls_time_view_set_property (GObject      *object,
                           guint         id,
                           const GValue *value,
                           GParamSpec   *spec)
{
  if (id == PROP_WATERFALL)
    set_waterfall (LS_TIME_VIEW (object), g_value_get_boolean (value));
  else if (id == PROP_ROOFLINE)
    set_roofline (LS_TIME_VIEW (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_time_view_dispose (GObject *object)
{
  LsTimeView *self = LS_TIME_VIEW (object);

  if (self->box != NULL)
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)), self);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_path (self->session), self);
      gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
    }
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->axis);
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_object (&self->columns[i]);
  g_clear_pointer (&self->ranges, g_ptr_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_time_view_parent_class)->dispose (object);
}

static void
ls_time_view_class_init (LsTimeViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_time_view_dispose;
  G_OBJECT_CLASS (klass)->get_property = ls_time_view_get_property;
  G_OBJECT_CLASS (klass)->set_property = ls_time_view_set_property;
  props[PROP_ROOFLINE] = g_param_spec_boolean ("roofline", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_WATERFALL] = g_param_spec_boolean ("waterfall", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  widget_class->css_changed = ls_time_view_css_changed;
  g_type_ensure (LS_TYPE_FIT_LABEL);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/time/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsTimeView, name)
  BIND (box);
  BIND (fold);
  BIND (fold_icon);
  BIND (waterfall_button);
  BIND (roofline_button);
  BIND (headline);
  BIND (subtitle);
  BIND (measure);
  BIND (cancel);
  BIND (error_box);
  BIND (error);
  BIND (stack);
  BIND (status);
  BIND (scroller);
  BIND (view);
#undef BIND
  gtk_widget_class_set_css_name (widget_class, "timeview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
fold_toggled (LsTimeView *self)
{
  if (self->session != NULL)
    update (self);
}

static void
ls_time_view_init (LsTimeView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ls_tab_stop_make (self->view);
  ls_scroller_steady (self->scroller);
  ls_fit_label_set_lines (LS_FIT_LABEL (self->subtitle), 2);
  self->ranges = g_ptr_array_new ();
  self->top = 1.0;
  add_columns (self);
  g_signal_connect_swapped (self->fold, "toggled", G_CALLBACK (fold_toggled), self);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)), "notify::page-size",
                            G_CALLBACK (queue_share), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Time per step"), -1);
}

GtkWidget *
ls_time_view_new (void)
{
  return g_object_new (LS_TYPE_TIME_VIEW, NULL);
}

/* After the first frame: the table takes a third of its layout. */
static void
attach_rows (gpointer data)
{
  LsTimeView *self = data;

  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
}

void
ls_time_view_set_session (LsTimeView *self,
                          LsSession  *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->rows = g_list_store_new (LS_TYPE_STEP_ITEM);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, attach_rows);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (queue_follow), self);
  g_signal_connect_swapped (session, "notify::running", G_CALLBACK (queue_follow), self);
  g_signal_connect_swapped (session, "notify::conditions", G_CALLBACK (queue_follow), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (queue_follow), self);
  g_signal_connect_swapped (ls_session_get_path (session), "items-changed", G_CALLBACK (queue_follow), self);
  follow (self);
}

void
ls_time_view_set_folded (LsTimeView *self,
                         gboolean    folded)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->fold), folded);
}

gboolean
ls_time_view_get_folded (LsTimeView *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold));
}

void
ls_time_view_set_low (LsTimeView *self,
                      gboolean    low)
{
  self->low = low;
  if (self->roofline_view != NULL)
    ls_roofline_view_set_low (LS_ROOFLINE_VIEW (self->roofline_view), low);
}
