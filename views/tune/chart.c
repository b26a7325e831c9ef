/* LsTuningChart, and the mark of a design as a widget. */
#include "views/tune/chart.h"

#include "views/models/format.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define LEAST_WIDTH 220
#define LEAST_HEIGHT 140

struct _LsTuningChart
{
  GtkWidget         parent_instance;
  LsTuningChartKind kind;
  LsTuning         *tuning;
  guint             serial;
};

G_DEFINE_FINAL_TYPE (LsTuningChart, ls_tuning_chart, GTK_TYPE_WIDGET)

static void
ls_tuning_chart_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  LsTuningChart *self = LS_TUNING_CHART (widget);
  LsLook look;
  LsFigure figure = { .snapshot = snapshot, .pango = gtk_widget_get_pango_context (widget), .look = &look };
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);

  ls_look_from_widget (widget, &look);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, width, height), self->serial);
  if (self->tuning != NULL)
    ls_draw_tuning (&figure, self->tuning, self->kind, width, height);
}

static LsTrialItem *
find (LsTuningChart *self,
      double         x,
      double         y)
{
  return self->tuning == NULL ? NULL
                              : ls_tuning_find (gtk_widget_get_pango_context (GTK_WIDGET (self)), self->tuning, self->kind,
                                                (float) gtk_widget_get_width (GTK_WIDGET (self)), (float) gtk_widget_get_height (GTK_WIDGET (self)),
                                                (float) x, (float) y);
}

static void
moved (LsTuningChart *self,
       double         x,
       double         y)
{
  LsTrialItem *item = find (self, x, y);

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), item != NULL ? "pointer" : NULL);
  if (item != NULL)
    ls_tuning_select (self->tuning, item);
}

static void
clicked (LsTuningChart *self,
         int            n,
         double         x,
         double         y)
{
  LsTrialItem *item = find (self, x, y);

  if (item != NULL)
    ls_tuning_open (self->tuning, item);
}

static gboolean
query_tooltip (LsTuningChart *self,
               int            x,
               int            y,
               gboolean       keyboard,
               GtkTooltip    *tooltip)
{
  LsTrialItem *item = keyboard ? NULL : find (self, x, y);
  g_autofree char *words = item != NULL ? ls_trial_item_describe (item) : NULL;

  gtk_tooltip_set_text (tooltip, words);
  return item != NULL;
}

/* (transfer full) */
static char *
words_of (LsTuningChart *self)
{
  const LsTuningRecord *record = self->kind == LS_TUNING_TOTAL ? ls_tuning_get (self->tuning) : ls_tuning_get_part (self->tuning);
  g_autofree char *best = ls_format_time (record->best), *base = ls_format_time (record->base);

  if (self->kind == LS_TUNING_SCATTER)
    return g_strdup_printf (ngettext ("Predicted against measured time of %u candidate", "Predicted against measured times of %u candidates", record->measured + record->remembered),
                            record->measured + record->remembered);
  if (self->kind == LS_TUNING_TOTAL)
    return record->best > 0.0 ? g_strdup_printf (ngettext ("All calls together: %s after %u trial, from %s as it was", "All calls together: %s after %u trials, from %s as it was", record->trials), best, record->trials, base)
                              : g_strdup (_("All calls together: not known until each function has a time"));
  if (record->best <= 0.0)
    return g_strdup_printf (ngettext ("Best time over the trials: none yet after %u trial", "Best time over the trials: none yet after %u trials", record->trials), record->trials);
  if (record->base <= 0.0)
    return g_strdup_printf (ngettext ("Best time over the trials: %s after %u trial", "Best time over the trials: %s after %u trials", record->trials), best, record->trials);
  return g_strdup_printf (ngettext ("Best time over the trials: %s after %u trial, from %s as it was", "Best time over the trials: %s after %u trials, from %s as it was", record->trials), best, record->trials, base);
}

void
ls_tuning_chart_update (LsTuningChart *self)
{
  g_autofree char *words = NULL;

  self->serial++;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->tuning == NULL)
    return;
  words = words_of (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

void
ls_tuning_chart_set_tuning (LsTuningChart *self,
                            LsTuning      *tuning)
{
  g_set_object (&self->tuning, tuning);
  ls_tuning_chart_update (self);
}

static void
ls_tuning_chart_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  *minimum = ls_theme_grow (orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : LEAST_HEIGHT);
  *natural = *minimum * 3 / 2;
}

static void
ls_tuning_chart_dispose (GObject *object)
{
  g_clear_object (&LS_TUNING_CHART (object)->tuning);
  G_OBJECT_CLASS (ls_tuning_chart_parent_class)->dispose (object);
}

static void
ls_tuning_chart_class_init (LsTuningChartClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_tuning_chart_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_tuning_chart_snapshot;
  GTK_WIDGET_CLASS (klass)->measure = ls_tuning_chart_measure;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tuningchart");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_tuning_chart_init (LsTuningChart *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (moved), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
ls_tuning_chart_new (LsTuningChartKind kind)
{
  LsTuningChart *self = g_object_new (LS_TYPE_TUNING_CHART, NULL);

  self->kind = kind;
  return GTK_WIDGET (self);
}

/* ---- the mark ---------------------------------------------------------------------- */

#define LS_TYPE_TRIAL_MARK (ls_trial_mark_get_type ())
G_DECLARE_FINAL_TYPE (LsTrialMark, ls_trial_mark, LS, TRIAL_MARK, GtkWidget)

struct _LsTrialMark
{
  GtkWidget parent_instance;
  guint     family;
  gboolean  failed;
};

G_DEFINE_FINAL_TYPE (LsTrialMark, ls_trial_mark, GTK_TYPE_WIDGET)

static void
ls_trial_mark_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  LsTrialMark *self = LS_TRIAL_MARK (widget);
  LsLook look;
  LsFigure figure = { .snapshot = snapshot, .pango = gtk_widget_get_pango_context (widget), .look = &look };
  float x = (float) gtk_widget_get_width (widget) / 2.0f, y = (float) gtk_widget_get_height (widget) / 2.0f;

  ls_look_from_widget (widget, &look);
  if (self->failed)
    ls_draw_cross (snapshot, x, y, 4.0f, ls_look_get (&look, LS_LOOK_ERROR));
  else
    ls_draw_trial_mark (&figure, self->family, x, y, 5.0f);
}

static void
ls_trial_mark_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = *natural = 16;
}

static void
ls_trial_mark_class_init (LsTrialMarkClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = ls_trial_mark_snapshot;
  GTK_WIDGET_CLASS (klass)->measure = ls_trial_mark_measure;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_trial_mark_init (LsTrialMark *self)
{
  self->family = LS_TRIAL_NO_FAMILY;
}

GtkWidget *
ls_trial_mark_new (void)
{
  return g_object_new (LS_TYPE_TRIAL_MARK, NULL);
}

void
ls_trial_mark_set (GtkWidget *mark,
                   guint      family,
                   gboolean   failed)
{
  LS_TRIAL_MARK (mark)->family = family;
  LS_TRIAL_MARK (mark)->failed = failed;
  gtk_widget_queue_draw (mark);
}
