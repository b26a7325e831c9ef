/* LsAccessColumn: a task follows the program; its answer goes into the grid and the words. */
#include "app/access/column.h"

#include "app/access/distances.h"
#include "app/access/table.h"
#include "app/access/words.h"
#include "engine/base/task.h"
#include "engine/debug/debug.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/specialize.h"
#include "views/access/grid.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

struct _LsAccessColumn
{
  GtkBox         parent_instance;

  GtkWidget     *title;
  GtkWidget     *call;
  GtkWidget     *grid;
  GtkWidget     *now;
  GtkWidget     *all;
  GtkWidget     *table;
  GtkWidget     *caches;
  GtkWidget     *counted;
  LsAccessOrder *order;         /* NULL: none yet, or none */
  char          *name;
  GtkWidget     *whole;         /* what all accesses do in the caches */
  GtkWidget     *distances;
  GCancellable  *asking;        /* of the task under way, or NULL */
  GCancellable  *counting;      /* of the task that simulates all accesses, or NULL */
  LsPrimFunc    *func;          /* that is followed, or NULL */
};

#define MOST 1e8                /* accesses that are simulated: about two seconds */

G_DEFINE_FINAL_TYPE (LsAccessColumn, ls_access_column, GTK_TYPE_BOX)

static guint ready_signal;

/* What the other thread finds out. */
typedef struct {
  LsAccessOrder *order;
  LsLocality    *locality;
  gboolean       known;         /* the caches are those of this machine */
} Followed;

static void
followed_free (gpointer data)
{
  Followed *self = data;

  ls_access_order_free (self->order);
  ls_locality_free (self->locality);
  g_free (self);
}

static void
func_unref (gpointer data)
{
  ls_unref ((LsPrimFunc *) data);
}

/* In another thread. */
static void
follow_program (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  LsAccessOrder *order = ls_debug_access_order (data, LS_ACCESS_MOST, NULL, cancellable, &error);

  if (order != NULL)
    {
      Followed *found = g_new0 (Followed, 1);
      LsCacheLevel levels[LS_LOCALITY_LEVELS];
      guint n;

      found->order = order;
      found->known = ls_cache_levels (levels, &n);
      found->locality = ls_locality_new (order, levels, n);
      g_task_return_pointer (task, found, followed_free);
    }
  else
    g_task_return_error (task, error);
}

/* ---- all accesses ------------------------------------------------------------------------ */

static void
memory_free (gpointer data)
{
  ls_memory_lab_free (data);
}

/* In another thread: as it is compiled, or as it stands where it cannot be lowered. */
static void
simulate (GTask        *task,
          gpointer      source,
          gpointer      data,
          GCancellable *cancellable)
{
  g_autoptr (LsPrimFunc) lowered = ls_lower (data, NULL, NULL, NULL);
  LsMemoryOptions options;
  GError *error = NULL;
  LsMemoryLab *memory;

  ls_memory_options_init (&options);
  options.most = MOST;
  options.distances = TRUE;
  memory = ls_debug_memory_lab (lowered != NULL ? lowered : data, &options, NULL, cancellable, &error);
  if (memory != NULL)
    g_task_return_pointer (task, memory, memory_free);
  else
    g_task_return_error (task, error);
}

static void
simulated (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (LsAccessColumn) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) memory = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *words = memory != NULL ? ls_access_words_memory (memory) : NULL;

  if (g_task_get_cancellable (G_TASK (result)) != self->counting)
    return;                     /* another one is wanted by now */
  g_clear_object (&self->counting);
  gtk_label_set_label (GTK_LABEL (self->whole), words != NULL ? words : error->message);
  /* The distances of the first accesses are not those of all: where there are more, the table is of all. */
  if (memory != NULL && self->order != NULL && self->order->stopped)
    ls_access_table_set_all (self->table, memory);
  ls_access_distances_set (self->distances, memory);
}

static void
ask_for_all (LsAccessColumn *self)
{
  g_autoptr (GTask) task = NULL;

  self->counting = g_cancellable_new ();
  gtk_label_set_label (GTK_LABEL (self->whole), _("All accesses are being run through simulated caches."));
  task = g_task_new (NULL, self->counting, simulated, g_object_ref (self));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, ls_ref (self->func), func_unref);
  ls_task_run (task, simulate);
}

/* ---- the first ones ----------------------------------------------------------------------- */

static void
show_order (LsAccessColumn *self,
            const char     *trouble)
{
  g_autofree char *all = self->order != NULL ? ls_access_words_all (self->order) : NULL;

  ls_access_grid_set (LS_ACCESS_GRID (self->grid), self->order);
  gtk_widget_set_visible (self->grid, self->order != NULL);
  gtk_widget_set_vexpand (self->now, self->order == NULL);
  gtk_label_set_label (GTK_LABEL (self->now), trouble != NULL ? trouble : "");
  gtk_label_set_label (GTK_LABEL (self->all), all != NULL ? all : "");
}

static void
followed (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsAccessColumn) self = data;
  g_autoptr (GError) error = NULL;
  Followed *found = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *caches = NULL;

  if (g_task_get_cancellable (G_TASK (result)) != self->asking)
    {
      g_clear_pointer (&found, followed_free);
      return;                   /* another one is wanted by now */
    }
  g_clear_object (&self->asking);
  self->order = found != NULL ? g_steal_pointer (&found->order) : NULL;
  show_order (self, error != NULL ? error->message : NULL);
  if (found != NULL)
    {
      caches = ls_access_table_words (found->locality, found->known);
      ls_access_table_set (self->table, self->order, found->locality);
      ask_for_all (self);
      gtk_label_set_label (GTK_LABEL (self->caches), caches);
      gtk_widget_set_visible (self->caches, gtk_widget_get_visible (self->table));
      gtk_widget_set_visible (self->counted, gtk_widget_get_visible (self->table) && *gtk_label_get_label (GTK_LABEL (self->counted)) != '\0');
    }
  g_clear_pointer (&found, followed_free);
  g_signal_emit (self, ready_signal, 0);
}

void
ls_access_column_cancel (LsAccessColumn *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  if (self->counting != NULL)
    g_cancellable_cancel (self->counting);
  g_clear_object (&self->asking);
  g_clear_object (&self->counting);
}

static LsPrimFunc *
function_of (LsHistoryNode *node,
             const char    *name)
{
  LsModule *module = ls_schedule_get_module (node->schedule);
  LsNode *func = name != NULL ? ls_module_get (module, name) : NULL;

  for (guint i = 0; func == NULL && i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      func = module->functions->items[i];
  return ls_is (func, PRIM_FUNC) ? (LsPrimFunc *) func : NULL;
}

void
ls_access_column_ask (LsAccessColumn *self,
                      LsHistory      *history,
                      guint           id,
                      const char     *function,
                      GPtrArray      *sizes)
{
  LsHistoryNode *node = history != NULL ? ls_history_get (history, id) : NULL;
  LsPrimFunc *func = node != NULL ? function_of (node, function) : NULL;
  g_autofree char *tag = node != NULL ? ls_step_item_tag (node->item) : NULL;
  g_autoptr (GTask) task = NULL;

  ls_access_column_cancel (self);
  show_order (self, NULL);
  ls_access_grid_set (LS_ACCESS_GRID (self->grid), NULL);
  ls_access_table_set (self->table, NULL, NULL);
  ls_access_distances_set (self->distances, NULL);
  gtk_widget_set_visible (self->caches, FALSE);
  gtk_widget_set_visible (self->counted, FALSE);
  gtk_label_set_label (GTK_LABEL (self->whole), "");
  ls_take (&self->func, func != NULL ? ls_prim_func_size (func, sizes) : NULL);
  gtk_label_set_label (GTK_LABEL (self->counted), node != NULL && node->counted != NULL ? node->counted : "");
  g_clear_pointer (&self->order, ls_access_order_free);
  g_clear_pointer (&self->name, g_free);
  self->name = g_strdup_printf (_("Step %s"), tag != NULL ? tag : "");
  gtk_label_set_label (GTK_LABEL (self->title), self->name);
  gtk_label_set_label (GTK_LABEL (self->call), node == NULL ? "" : node->number == 0 ? _("as opened") : node->call);
  if (func == NULL)
    {
      show_order (self, _("There is no loop nest here whose accesses could be followed."));
      g_signal_emit (self, ready_signal, 0);
      return;
    }
  show_order (self, _("The program is being followed."));
  self->asking = g_cancellable_new ();
  task = g_task_new (NULL, self->asking, followed, g_object_ref (self));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, ls_ref (self->func), func_unref);
  ls_task_run (task, follow_program);
}

const LsAccessOrder *
ls_access_column_get (LsAccessColumn *self)
{
  return self->order;
}

void
ls_access_column_set_alone (LsAccessColumn *self,
                            gboolean        alone)
{
  gtk_widget_set_visible (self->all, !alone);
}

const char *
ls_access_column_get_name (LsAccessColumn *self)
{
  return self->name != NULL ? self->name : "";
}

gboolean
ls_access_column_is_busy (LsAccessColumn *self)
{
  return self->asking != NULL;
}

void
ls_access_column_go (LsAccessColumn *self,
                     guint           n)
{
  g_autofree char *words = NULL;

  if (self->order == NULL)
    return;
  words = ls_access_words_at (self->order, n);
  ls_access_grid_go (LS_ACCESS_GRID (self->grid), n);
  gtk_label_set_label (GTK_LABEL (self->now), words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grid), GTK_ACCESSIBLE_PROPERTY_LABEL, self->name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static void
ls_access_column_dispose (GObject *object)
{
  LsAccessColumn *self = LS_ACCESS_COLUMN (object);

  ls_access_column_cancel (self);
  if (self->grid != NULL)
    ls_access_grid_set (LS_ACCESS_GRID (self->grid), NULL);
  self->grid = NULL;
  G_OBJECT_CLASS (ls_access_column_parent_class)->dispose (object);
}

static void
ls_access_column_finalize (GObject *object)
{
  LsAccessColumn *self = LS_ACCESS_COLUMN (object);

  ls_access_order_free (self->order);
  ls_unref (self->func);
  g_free (self->name);
  G_OBJECT_CLASS (ls_access_column_parent_class)->finalize (object);
}

static void
ls_access_column_class_init (LsAccessColumnClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_access_column_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_access_column_finalize;
  ready_signal = g_signal_new ("ready", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_access_column_init (LsAccessColumn *self)
{
  GtkWidget *head = ls_part_row ("access-head");

  self->title = ls_part_label (NULL, "strong");
  self->call = ls_part_label (NULL, "code");
  self->grid = ls_access_grid_new ();
  self->now = ls_part_label (NULL, "access-now");        /* two lines high: what is drawn does not jump while it plays */
  self->all = ls_part_label (NULL, "reason");
  self->table = ls_access_table_new ();
  self->caches = ls_part_label (NULL, "reason");
  self->counted = ls_part_label (NULL, "reason");
  self->whole = ls_part_label (NULL, "reason");
  self->distances = ls_access_distances_new ();
  gtk_label_set_wrap (GTK_LABEL (self->whole), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->caches), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->counted), TRUE);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_widget_add_css_class (GTK_WIDGET (self), "access-column");
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (self->grid, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->call), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->call, TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->now), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->all), TRUE);
  gtk_label_set_lines (GTK_LABEL (self->now), 2);
  gtk_label_set_yalign (GTK_LABEL (self->now), 0.0f);
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->call);
  gtk_box_append (GTK_BOX (self), head);
  gtk_box_append (GTK_BOX (self), self->grid);
  gtk_box_append (GTK_BOX (self), self->now);
  gtk_box_append (GTK_BOX (self), self->all);
  gtk_box_append (GTK_BOX (self), self->whole);
  gtk_box_append (GTK_BOX (self), self->table);
  gtk_box_append (GTK_BOX (self), self->distances);
  gtk_box_append (GTK_BOX (self), self->caches);
  gtk_box_append (GTK_BOX (self), self->counted);
}

GtkWidget *
ls_access_column_new (void)
{
  return g_object_new (LS_TYPE_ACCESS_COLUMN, NULL);
}
