/* LsTaskTable: a grid with a row for each function. */
#include "views/tune/tasks.h"

#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/tune/share-bar.h"

#include <glib/gi18n.h>
#include <string.h>

#define FOLLOW_MS 200
#define BAR_WIDTH 120
#define MOST_HEIGHT 260

enum { CALLS, TRIALS, BASE, BEST, FACTOR, SHARE, N_FIGURES };

/* A function; its widgets stay as long as the functions are the same, so that the keyboard keeps its place. */
typedef struct {
  char      *name;
  GtkWidget *choice, *bar, *words;
  GtkWidget *figures[N_FIGURES];
} Row;

struct _LsTaskTable
{
  GtkWidget  parent_instance;
  LsTuning  *tuning;
  GtkWidget *scroller, *grid;
  GArray    *rows;              /* of Row */
  gboolean   syncing;
};

G_DEFINE_FINAL_TYPE (LsTaskTable, ls_task_table, GTK_TYPE_WIDGET)

/* ---- what stands in a row --------------------------------------------------------- */

static const char *
standing (const LsTuningTask *task)
{
  return task->problem != NULL ? task->problem : task->active ? _("is searched now") : task->over ? _("nothing new is found any more") : NULL;
}

static void
fill_row (const Row          *row,
          const LsTuningTask *task)
{
  g_autofree char *calls = g_strdup_printf ("%u", task->calls), *trials = g_strdup_printf ("%u", task->trials);
  g_autofree char *base = task->base > 0.0 ? ls_format_time (task->base) : g_strdup ("–"), *best = task->best > 0.0 ? ls_format_time (task->best) : g_strdup ("–");
  g_autofree char *factor = task->base > 0.0 && task->best > 0.0 ? ls_format_factor (task->base / task->best) : g_strdup ("–");
  g_autofree char *share = task->share >= 0.0 ? ls_format_share (task->share) : g_strdup ("–");
  const char *const texts[N_FIGURES] = { calls, trials, base, best, factor, share };

  for (guint i = 0; i < N_FIGURES; i++)
    ls_part_set_figure (GTK_LABEL (row->figures[i]), texts[i]);
  ls_share_bar_set (LS_SHARE_BAR (row->bar), task->share);
  gtk_label_set_label (GTK_LABEL (row->words), standing (task) != NULL ? standing (task) : "");
  ls_tip_set (row->words, standing (task));
  if (task->active)
    gtk_widget_add_css_class (row->choice, "strong");
  else
    gtk_widget_remove_css_class (row->choice, "strong");
}

static void
chosen (LsTaskTable     *self,
        GtkToggleButton *button)
{
  if (self->syncing || !gtk_toggle_button_get_active (button))
    return;
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, Row, i).choice == GTK_WIDGET (button))
      ls_tuning_show_task (self->tuning, i);
}

/* The name, which chooses the function. */
static GtkWidget *
choice_new (LsTaskTable *self,
            const char  *name)
{
  GtkWidget *button = gtk_toggle_button_new (), *label = ls_part_label (name, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 16);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  ls_tip_set (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _("Shows the candidates of this function"), -1);
  if (self->rows->len > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (g_array_index (self->rows, Row, 0).choice));
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (chosen), self);
  return button;
}

static void
add_row (LsTaskTable        *self,
         const LsTuningTask *task)
{
  Row row = { g_strdup (task->name), choice_new (self, task->name), ls_share_bar_new (), ls_part_label (NULL, "reason"), { NULL } };
  int at = (int) self->rows->len + 1;

  gtk_widget_set_size_request (row.bar, BAR_WIDTH, 12);
  gtk_label_set_ellipsize (GTK_LABEL (row.words), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (row.words), 16);
  gtk_widget_set_hexpand (row.words, TRUE);
  gtk_grid_attach (GTK_GRID (self->grid), row.choice, 0, at, 1, 1);
  for (guint i = 0; i < N_FIGURES; i++)
    {
      row.figures[i] = ls_part_label_at (NULL, "figure", 1.0f);
      gtk_grid_attach (GTK_GRID (self->grid), row.figures[i], (int) i + (i == SHARE ? 2 : 1), at, 1, 1);
    }
  gtk_grid_attach (GTK_GRID (self->grid), row.bar, SHARE + 1, at, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row.words, SHARE + 3, at, 1, 1);
  g_array_append_val (self->rows, row);
}

static void
put_heads (LsTaskTable *self)
{
  const char *const words[] = { _("calls"), _("trials"), _("as it is"), _("best") };

  gtk_grid_attach (GTK_GRID (self->grid), ls_part_label (_("function"), "caption"), 0, 0, 1, 1);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (words[i], "caption", 1.0f), (int) i + 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (_("of the whole"), "caption", 1.0f), SHARE + 1, 0, 2, 1);
}

static gboolean
has_these (LsTaskTable *self,
           GArray      *tasks)
{
  if (self->rows->len != tasks->len)
    return FALSE;
  for (guint i = 0; i < tasks->len; i++)
    if (strcmp (g_array_index (self->rows, Row, i).name, g_array_index (tasks, LsTuningTask, i).name) != 0)
      return FALSE;
  return TRUE;
}

static void
rebuild (LsTaskTable *self,
         GArray      *tasks)
{
  GtkWidget *child;

  g_array_set_size (self->rows, 0);
  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  put_heads (self);
  for (guint i = 0; i < tasks->len; i++)
    add_row (self, &g_array_index (tasks, LsTuningTask, i));
}

static void
show (gpointer data)
{
  LsTaskTable *self = data;
  GArray *tasks = ls_tuning_get_tasks (self->tuning);
  guint shown = ls_tuning_get_task (self->tuning);

  if (tasks == NULL)
    return;
  self->syncing = TRUE;
  if (!has_these (self, tasks))
    rebuild (self, tasks);
  for (guint i = 0; i < tasks->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      fill_row (row, &g_array_index (tasks, LsTuningTask, i));
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (row->choice), i == shown);
    }
  self->syncing = FALSE;
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
  g_array_set_size (self->rows, 0);
  G_OBJECT_CLASS (ls_task_table_parent_class)->dispose (object);
}

static void
ls_task_table_finalize (GObject *object)
{
  g_array_unref (LS_TASK_TABLE (object)->rows);
  G_OBJECT_CLASS (ls_task_table_parent_class)->finalize (object);
}

static void
ls_task_table_class_init (LsTaskTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_task_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_task_table_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tasktable");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
row_clear (gpointer data)
{
  g_free (((Row *) data)->name);
}

static void
ls_task_table_init (LsTaskTable *self)
{
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 16);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 2);
  gtk_widget_add_css_class (self->grid, "time-card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Functions of the module"), -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), MOST_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->grid);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
ls_task_table_new (void)
{
  return g_object_new (LS_TYPE_TASK_TABLE, NULL);
}
