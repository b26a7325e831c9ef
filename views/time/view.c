/* LsTimeView: a GtkColumnView over the steps of the shown path.
 *
 * All range cells share one axis from 0 to a round figure above the largest third
 * quartile, and all figures one unit.  A step change tells the view five times; it follows once, in a
 * turn of its own before the next frame.
 */
#include "views/time/view-private.h"

#include "views/canvas/draw-range.h"
#include "views/models/format.h"
#include "views/models/list-store.h"
#include "views/parts/fit-label.h"
#include "views/parts/scroller.h"
#include "views/parts/status.h"
#include "views/parts/tip.h"
#include "views/parts/tab-stop.h"
#include "views/time/roofline.h"
#include "views/parts/later.h"
#include "views/parts/pace.h"

#include <glib/gi18n.h>

#define HEADER_HEIGHT 24
#define ROW_HEIGHT 19
#define ROWS 6                  /* of a long path at once; a list makes widgets for two hundred */
#define FOLLOW_PRIORITY (GDK_PRIORITY_REDRAW - 5)
#define PARTS "\u00a0· "        /* as LS_PARTS, but a line may end after the dot, not before it */

enum { PROP_0, PROP_WATERFALL, PROP_ROOFLINE, N_PROPS };

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (LsTimeView, ls_time_view, GTK_TYPE_WIDGET)

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
      ls_time_columns_set_fall (self, g_ptr_array_index (self->ranges, i));
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
  const char *device = ls_session_get_device (self->session), *conditions = device != NULL ? device : ls_session_get_conditions (self->session);
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

      /* The button beside it names the device. */
      rest = g_strjoin (LS_PARTS, what, device == NULL ? conditions : NULL, NULL);
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

/* The choice is there where results of devices are. */
static void
update_whose (LsTimeView *self)
{
  g_auto (GStrv) devices = ls_session_get_devices (self->session);
  const char *device = ls_session_get_device (self->session);
  g_autoptr (GMenu) menu = g_menu_new ();

  gtk_widget_set_visible (self->whose, devices[0] != NULL && !ls_time_view_get_folded (self));
  if (devices[0] == NULL)
    return;
  g_menu_append (menu, _("This machine"), "win.times-of::");
  for (guint i = 0; devices[i] != NULL; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (devices[i], NULL);

      g_menu_item_set_action_and_target (item, "win.times-of", "s", devices[i]);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->whose), device != NULL ? device : _("This machine"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->whose), G_MENU_MODEL (menu));
}

static void
update (LsTimeView *self)
{
  const char *error = find_error (self);
  gboolean running = ls_session_is_running (self->session);
  gboolean folded = ls_time_view_get_folded (self);

  update_height (self);
  update_axis (self);
  update_whose (self);
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

/* Of a long path its row may not have come yet. */
static void
select_current (LsTimeView *self)
{
  guint position = ls_session_get_position (self->session);
  gboolean syncing = self->syncing;

  if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->shown_rows)))
    position = GTK_INVALID_LIST_POSITION;
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->syncing = syncing;
}

static void
follow (gpointer data)
{
  LsTimeView *self = data;

  self->syncing = TRUE;
  ls_list_store_follow (self->rows, ls_session_get_path (self->session));
  select_current (self);
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
ls_time_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_time_view_parent_class)->css_changed (widget, change);
  if (LS_TIME_VIEW (widget)->columns[LS_TIME_FASTER] != NULL)
    {
      ls_time_columns_fit (LS_TIME_VIEW (widget));
      ls_time_columns_share (LS_TIME_VIEW (widget));
    }
}

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
  if (self->shown_rows != NULL)
    g_signal_handlers_disconnect_by_data (self->shown_rows, self);
  g_clear_object (&self->shown_rows);
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
  BIND (whose);
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
  ls_time_columns_add (self);
  g_signal_connect_swapped (self->fold, "toggled", G_CALLBACK (fold_toggled), self);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)), "notify::page-size",
                            G_CALLBACK (ls_time_columns_share), self);
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
  self->shown_rows = ls_gradual_list_new (G_LIST_MODEL (self->rows), ROWS);
  ls_pace_list (self->view, self->shown_rows);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->shown_rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, attach_rows);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_data (self->shown_rows, "items-changed", G_CALLBACK (select_current), self, NULL, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
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
