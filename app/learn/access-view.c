/* LsAccessView: the grid of buffers, a slider over the first accesses, and a sentence on the current one.
 *
 * What the program touches is found in a thread; the view may go before that has an end.
 */
#include "app/learn/access-view.h"

#include "app/learn/prose.h"
#include "engine/base/task.h"
#include "engine/script/script.h"
#include "views/access/grid.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>

#define MOST 20000u
#define TURN_MS 60

typedef struct {
  GtkWidget     *grid, *slider, *words, *play;
  LsAccessOrder *order;
  GCancellable  *stop;
  guint          turn;
} View;

static void
view_free (gpointer data)
{
  View *self = data;

  g_cancellable_cancel (self->stop);
  g_clear_handle_id (&self->turn, g_source_remove);
  g_clear_pointer (&self->order, ls_access_order_free);
  g_object_unref (self->stop);
  g_free (self);
}

/* "3 of 1,200: reads A[0, 2] in block C, i = 0, j = 2; 1 line fetched so far". (transfer full) */
static char *
describe (View  *self,
          guint  at)
{
  const LsAccess *access = &g_array_index (self->order->accesses, LsAccess, at);
  const LsAccessBuffer *buffer = &g_array_index (self->order->buffers, LsAccessBuffer, access->buffer);
  const LsAccessMoment *moment = &g_array_index (self->order->moments, LsAccessMoment, access->moment);
  const LsAccessPlace *place = self->order->places->pdata[moment->place];
  g_autofree gint64 *indices = g_new0 (gint64, MAX (buffer->ndim, 1));
  g_autoptr (GString) where = g_string_new (NULL), loops = g_string_new (NULL);

  ls_access_indices (buffer, access->element, indices);
  for (guint i = 0; i < buffer->ndim; i++)
    g_string_append_printf (where, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", indices[i]);
  for (guint i = 0; i < place->n_loops; i++)
    g_string_append_printf (loops, "%s%s = %" G_GINT64_FORMAT, i > 0 ? ", " : "", place->loops[i], g_array_index (self->order->values, gint64, moment->first + i));
  return g_strdup_printf (access->is_write ? _("Access %u of %u: writes %s[%s]; %s. Cache lines fetched so far: %u.")
                                           : _("Access %u of %u: reads %s[%s]; %s. Cache lines fetched so far: %u."),
                          at + 1, self->order->accesses->len, buffer->name, where->str, loops->str, access->lines);
}

static void
moved (View *self)
{
  guint n = (guint) gtk_range_get_value (GTK_RANGE (self->slider));
  g_autofree char *text = NULL;

  if (self->order == NULL || n == 0 || n > self->order->accesses->len)
    return;
  text = describe (self, n - 1);
  ls_access_grid_go (LS_ACCESS_GRID (self->grid), n);
  gtk_label_set_label (GTK_LABEL (self->words), text);
}

static gboolean
turn (gpointer data)
{
  View *self = data;
  double at = gtk_range_get_value (GTK_RANGE (self->slider));

  gtk_range_set_value (GTK_RANGE (self->slider), at + 1);
  if (self->order != NULL && at + 1 < self->order->accesses->len)
    return G_SOURCE_CONTINUE;
  self->turn = 0;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->play), FALSE);
  return G_SOURCE_REMOVE;
}

static void
play_toggled (View *self)
{
  g_clear_handle_id (&self->turn, g_source_remove);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->play)))
    self->turn = g_timeout_add (TURN_MS, turn, self);
}

/* ---- following ---------------------------------------------------------------------------------- */

static void
follow (GTask        *task,
        gpointer      source,
        gpointer      text,
        GCancellable *stop)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) code = ls_source_new ("cell", text, -1);
  g_autoptr (GError) error = NULL;
  LsModule *module = ls_script_parse (code, findings);
  LsNode *only = module != NULL && ls_array_n (module->functions) == 1 ? module->functions->items[0] : NULL;
  LsAccessOrder *order = only != NULL && ls_is (only, PRIM_FUNC) ? ls_access_order_new ((LsPrimFunc *) only, MOST, stop, &error) : NULL;

  if (order != NULL)
    g_task_return_pointer (task, order, (GDestroyNotify) ls_access_order_free);
  else if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _("Accesses are shown of a program that is one function of TensorIR."));
  ls_unref (module);
}

static void
followed (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  LsAccessOrder *order = g_task_propagate_pointer (G_TASK (result), &error);
  View *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = g_object_get_data (source, "ls-view");
  if (order == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->words), error->message);
      return;
    }
  self->order = order;
  ls_access_grid_set (LS_ACCESS_GRID (self->grid), order);
  gtk_range_set_range (GTK_RANGE (self->slider), 1, MAX (order->accesses->len, 2));
  gtk_widget_set_sensitive (self->slider, TRUE);
  gtk_widget_set_sensitive (self->play, TRUE);
  moved (self);
}

GtkWidget *
ls_access_view_new (const char *text)
{
  View *self = g_new0 (View, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *scroll = gtk_scrolled_window_new ();
  g_autoptr (GTask) task = NULL;

  self->stop = g_cancellable_new ();
  self->grid = ls_access_grid_new ();
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  self->play = gtk_toggle_button_new_with_label (_("Play"));
  self->words = gtk_label_new (_("The program is followed…"));
  ls_set_label (self->slider, _("Access"));
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_widget_set_sensitive (self->slider, FALSE);
  gtk_widget_set_sensitive (self->play, FALSE);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->words), 0.0f);
  gtk_box_append (GTK_BOX (bar), self->play);
  gtk_box_append (GTK_BOX (bar), self->slider);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), self->grid);
  ls_scroller_steady (scroll);
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), scroll);
  gtk_widget_add_css_class (box, "lesson-accesses");
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (moved), self);
  g_signal_connect_swapped (self->play, "toggled", G_CALLBACK (play_toggled), self);
  g_object_set_data_full (G_OBJECT (box), "ls-view", self, view_free);
  task = g_task_new (box, self->stop, followed, NULL);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_task_data (task, g_strdup (text), g_free);
  ls_task_run (task, follow);
  return box;
}
