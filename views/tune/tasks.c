/* LsTaskTable: a grid of labels, filled anew when the tasks change. */
#include "views/tune/tasks.h"

#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/tune/share-bar.h"

#include <glib/gi18n.h>

#define FOLLOW_MS 200
#define BAR_WIDTH 120

struct _LsTaskTable
{
  GtkWidget  parent_instance;
  LsTuning  *tuning;
  GtkWidget *scroller, *grid;
};

G_DEFINE_FINAL_TYPE (LsTaskTable, ls_task_table, GTK_TYPE_WIDGET)

static void
put_figure (LsTaskTable *self,
            int          column,
            int          row,
            const char  *text,
            const char  *css_class)
{
  GtkWidget *label = ls_part_label_at (NULL, css_class, 1.0f);

  ls_part_set_figure (GTK_LABEL (label), text);
  gtk_grid_attach (GTK_GRID (self->grid), label, column, row, 1, 1);
}

static const char *
standing (const LsTuningTask *task)
{
  return task->problem != NULL ? task->problem : task->active ? _("is searched now") : task->over ? _("nothing new is found any more") : NULL;
}

static void
put_task (LsTaskTable        *self,
          int                 row,
          const LsTuningTask *task)
{
  GtkWidget *name = ls_part_label (task->name, task->active ? "strong" : NULL), *bar = ls_share_bar_new (), *words = ls_part_label (standing (task), "reason");
  g_autofree char *calls = g_strdup_printf ("%u", task->calls), *trials = g_strdup_printf ("%u", task->trials);
  g_autofree char *base = task->base > 0.0 ? ls_format_time (task->base) : g_strdup ("–"), *best = task->best > 0.0 ? ls_format_time (task->best) : g_strdup ("–");
  g_autofree char *factor = task->base > 0.0 && task->best > 0.0 ? ls_format_factor (task->base / task->best) : g_strdup ("–");
  g_autofree char *share = task->share >= 0.0 ? ls_format_share (task->share) : g_strdup ("–");

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (name), 16);
  ls_tip_set (name, task->name);
  ls_share_bar_set (LS_SHARE_BAR (bar), task->share);
  gtk_widget_set_size_request (bar, BAR_WIDTH, 12);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (words, TRUE);
  ls_tip_set (words, standing (task));
  gtk_grid_attach (GTK_GRID (self->grid), name, 0, row, 1, 1);
  put_figure (self, 1, row, calls, "figure");
  put_figure (self, 2, row, trials, "figure");
  put_figure (self, 3, row, base, "figure");
  put_figure (self, 4, row, best, "figure");
  put_figure (self, 5, row, factor, "figure");
  gtk_grid_attach (GTK_GRID (self->grid), bar, 6, row, 1, 1);
  put_figure (self, 7, row, share, "figure");
  gtk_grid_attach (GTK_GRID (self->grid), words, 8, row, 1, 1);
}

static void
put_heads (LsTaskTable *self)
{
  const char *const words[] = { _("calls"), _("trials"), _("as it is"), _("best") };

  gtk_grid_attach (GTK_GRID (self->grid), ls_part_label (_("function"), "caption"), 0, 0, 1, 1);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (words[i], "caption", 1.0f), (int) i + 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (_("of the whole"), "caption", 1.0f), 6, 0, 2, 1);
}

static void
show (gpointer data)
{
  LsTaskTable *self = data;
  GArray *tasks = ls_tuning_get_tasks (self->tuning);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  if (tasks == NULL)
    return;
  put_heads (self);
  for (guint i = 0; i < tasks->len; i++)
    put_task (self, (int) i + 1, &g_array_index (tasks, LsTuningTask, i));
}

static void
follow (LsTaskTable *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, FOLLOW_MS, show);
}

void
ls_task_table_set_tuning (LsTaskTable *self,
                          LsTuning    *tuning)
{
  g_return_if_fail (self->tuning == NULL);

  self->tuning = g_object_ref (tuning);
  g_signal_connect_swapped (tuning, "changed", G_CALLBACK (follow), self);
  show (self);
}

static void
ls_task_table_dispose (GObject *object)
{
  LsTaskTable *self = LS_TASK_TABLE (object);

  if (self->tuning != NULL)
    g_signal_handlers_disconnect_by_data (self->tuning, self);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->tuning);
  G_OBJECT_CLASS (ls_task_table_parent_class)->dispose (object);
}

static void
ls_task_table_class_init (LsTaskTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_task_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tasktable");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_task_table_init (LsTaskTable *self)
{
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 16);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  gtk_widget_add_css_class (self->grid, "time-card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Functions of the module"), -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->grid);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
ls_task_table_new (void)
{
  return g_object_new (LS_TYPE_TASK_TABLE, NULL);
}
