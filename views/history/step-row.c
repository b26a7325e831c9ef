/* LsStepRow: rail cell, trace line over time, spread and speed-up. */
#include "views/history/step-row.h"

#include "views/history/step-cell.h"
#include "views/models/format.h"
#include "views/parts/fit-label.h"
#include "views/parts/parts.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

struct _LsStepRow
{
  GtkWidget   parent_instance;

  LsStepItem *item;
  GtkWidget  *box;
  GtkWidget  *cell;
  GtkWidget  *number;
  GtkWidget  *call;
  GtkWidget  *warning;
  GtkWidget  *detail;
  GtkWidget  *speedup;
};

G_DEFINE_FINAL_TYPE (LsStepRow, ls_step_row, GTK_TYPE_WIDGET)

static void
set_class (GtkWidget  *widget,
           const char *css_class,
           gboolean    on)
{
  if (on)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

static void
update_speedup (LsStepRow *self)
{
  const LsStepRecord *record = ls_step_item_get (self->item);
  g_autofree char *text = NULL;
  gboolean old = record->state == LS_STEP_STALE && record->timing.samples > 0;

  set_class (self->speedup, "struck", old);
  set_class (self->speedup, "dim", old);
  if (old)
    text = ls_format_time (record->timing.median);
  if (record->state == LS_STEP_MEASURED && record->speedup > 0.0)
    text = record->no_difference ? ls_format_factor (record->speedup)
                                 : ls_format_speedup (record->speedup);
  ls_part_set_figure (GTK_LABEL (self->speedup), text != NULL ? text : "");
  set_class (self->speedup, "strong", !record->no_difference && !old);
}

static void
update (LsStepRow *self)
{
  const LsStepRecord *record = ls_step_item_get (self->item);
  g_autofree char *tag = ls_step_item_tag (self->item);
  g_auto (GStrv) details = ls_step_item_details (self->item);
  g_autofree char *description = ls_step_item_describe (self->item);
  gboolean current = ls_step_item_is_current (self->item);

  gtk_label_set_label (GTK_LABEL (self->number), tag);
  ls_fit_label_set_text (LS_FIT_LABEL (self->call), record->call);
  ls_fit_label_set (LS_FIT_LABEL (self->detail), (const char *const *) details);
  ls_fit_label_set_lines (LS_FIT_LABEL (self->detail), record->state == LS_STEP_FAILED ? 3 : 1);
  gtk_widget_set_visible (self->warning, ls_step_item_is_noisy (self->item));
  update_speedup (self);
  set_class (self->call, "strong", current);
  set_class (self->detail, "error", record->state == LS_STEP_FAILED);
  set_class (GTK_WIDGET (self), "unreached", record->state == LS_STEP_UNREACHED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
}

static gboolean
ls_step_row_query_tooltip (GtkWidget  *widget,
                           int         x,
                           int         y,
                           gboolean    keyboard,
                           GtkTooltip *tooltip)
{
  LsStepRow *self = LS_STEP_ROW (widget);
  const LsStepRecord *record;
  g_autofree char *text = NULL;

  if (self->item == NULL)
    return FALSE;
  record = ls_step_item_get (self->item);
  text = g_strjoin ("\n", record->call,
                    record->conditions != NULL ? record->conditions : record->reason, NULL);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
ls_step_row_dispose (GObject *object)
{
  LsStepRow *self = LS_STEP_ROW (object);

  ls_step_row_set_item (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_step_row_parent_class)->dispose (object);
}

static void
ls_step_row_class_init (LsStepRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_step_row_dispose;
  widget_class->query_tooltip = ls_step_row_query_tooltip;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "steprow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
first_line (LsStepRow *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->number = ls_part_label (NULL, "strong");
  self->call = ls_fit_label_new ();
  gtk_widget_add_css_class (self->call, "code");
  gtk_widget_add_css_class (self->number, "code");
  ls_fit_label_set_ellipsize (LS_FIT_LABEL (self->call), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->call, TRUE);
  gtk_box_append (GTK_BOX (line), self->number);
  gtk_box_append (GTK_BOX (line), self->call);
  return line;
}

static GtkWidget *
second_line (LsStepRow *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->warning = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  gtk_widget_add_css_class (self->warning, "warn");
  gtk_image_set_pixel_size (GTK_IMAGE (self->warning), ls_theme_grow (12));
  self->detail = ls_fit_label_new ();
  gtk_widget_add_css_class (self->detail, "reason");
  self->speedup = ls_part_label (NULL, "figure");
  gtk_widget_set_hexpand (self->detail, TRUE);
  gtk_box_append (GTK_BOX (line), self->warning);
  gtk_box_append (GTK_BOX (line), self->detail);
  gtk_box_append (GTK_BOX (line), self->speedup);
  return line;
}

static void
ls_step_row_init (LsStepRow *self)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->cell = ls_step_cell_new (LS_STEP_CELL_RAIL);
  gtk_box_append (GTK_BOX (self->box), self->cell);
  gtk_box_append (GTK_BOX (lines), first_line (self));
  gtk_box_append (GTK_BOX (lines), second_line (self));
  gtk_widget_set_hexpand (lines, TRUE);
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (lines, "lines");
  gtk_box_append (GTK_BOX (self->box), lines);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

GtkWidget *
ls_step_row_new (void)
{
  return g_object_new (LS_TYPE_STEP_ROW, NULL);
}

void
ls_step_row_set_item (LsStepRow  *self,
                      LsStepItem *item)
{
  if (self->item == item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_func (self->item, update, self);
  g_set_object (&self->item, item);
  ls_step_cell_set_item (LS_STEP_CELL (self->cell), item);
  if (item == NULL)
    return;
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update), self);
  update (self);
}

LsStepItem *
ls_step_row_get_item (LsStepRow *self)
{
  return self->item;
}
