/* run/pair-part: where two programs part: the first element that differs, what wrote it in both, and, where the left one is a step before the
 * right one, the step between them that changed the result.
 *
 * The programs of the steps are printed in another thread and run in a worker of their own, so that what stands still goes on standing.
 */
#include "app/run/pair-private.h"

#include "app/run/begun.h"
#include "engine/base/task.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- the steps ---------------------------------------------------------------------------------- */

LsHistory *
ls_pair_history (LsPairRun *self,
                 guint      side,
                 guint     *id)
{
  *id = self->ids[side];
  return self->compared ? ls_engine_session_compared (LS_ENGINE_SESSION (self->session), id) : ls_engine_session_get_history (LS_ENGINE_SESSION (self->session));
}

char *
ls_pair_title (LsPairRun *self,
               guint      side)
{
  guint id;
  LsHistory *history = ls_pair_history (self, side, &id);
  LsHistoryNode *node = history != NULL ? ls_history_get (history, id) : NULL;

  if (node == NULL)
    return g_strdup ("");
  if (self->names[side] != NULL)
    return g_strdup (self->names[side]);
  if (self->ids[side] == LS_COMPARE_FILE && node->number == 0)
    return g_strdup (side == 0 ? _("Left: the other file") : _("Right: the other file"));
  if (node->number == 0)
    return g_strdup (side == 0 ? _("Left: the program as it was opened") : _("Right: the program as it was opened"));
  /* Translators: a number and a call: step 2, split(j, [None, 4]) */
  return g_strdup_printf (side == 0 ? _("Left: step %u, %s") : _("Right: step %u, %s"), node->number, node->call);
}

/* ---- the steps between ------------------------------------------------------------------------- */

typedef struct {
  LsHistory *histories[2];      /* excerpts, owned; the second one NULL: the nodes are of one history */
  GArray    *ids;               /* of guint, one after the other in histories[0]; else one in each */
} Printing;

static void
printing_free (gpointer data)
{
  Printing *self = data;

  ls_history_free (self->histories[0]);
  if (self->histories[1] != NULL)
    ls_history_free (self->histories[1]);
  g_array_unref (self->ids);
  g_free (self);
}

static void
print_all (GTask        *task,
           gpointer      source,
           gpointer      task_data,
           GCancellable *cancellable)
{
  Printing *self = task_data;
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();

  for (guint i = 0; i < self->ids->len; i++)
    {
      LsHistory *history = self->histories[1] != NULL ? self->histories[i] : self->histories[0];
      g_autofree char *text = ls_history_print (history, g_array_index (self->ids, guint, i), TRUE, NULL);

      g_strv_builder_add (texts, text);
    }
  g_task_return_pointer (task, g_strv_builder_end (texts), (GDestroyNotify) g_strfreev);
}

/* Each step that does something on the way to the right node, from the left one where it is compared, else from the first program; where that is
 * no way, the two. */
static Printing *
printing_new (LsPairRun *self)
{
  Printing *printing = g_new0 (Printing, 1);
  guint left, right;
  LsHistory *history = ls_pair_history (self, 0, &left), *other = ls_pair_history (self, 1, &right);
  g_autoptr (GArray) path = history == other ? ls_history_path_to (history, right) : NULL;
  gboolean begun = FALSE;

  if (!self->compared)
    left = 0;
  printing->ids = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      guint id = g_array_index (path, guint, i);

      begun = begun || id == left;
      if (begun && LS_HISTORY_DONE (ls_history_get (history, id)) && (id == left || id == right || ls_history_has_effect (history, id)))
        g_array_append_val (printing->ids, id);
    }
  if (printing->ids->len < 2)
    {
      g_array_set_size (printing->ids, 0);
      g_array_append_val (printing->ids, left);
      g_array_append_val (printing->ids, right);
    }
  printing->histories[0] = ls_history_excerpt (history, left, history == other ? right : left);
  printing->histories[1] = history != other ? ls_history_excerpt (other, right, right) : NULL;
  return printing;
}

/* ---- what was found -------------------------------------------------------------------------------- */

static void
clear_list (GtkWidget *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), child);
}

static guint64
clock_of (GVariant *list,
          gsize     i)
{
  g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

  return (guint64) ls_params_int (one, "clock", 0);
}

/* The first write whose value differs, where both have as many; else the last one. */
static gsize
first_other (GVariant *left,
             GVariant *right)
{
  gsize n = g_variant_n_children (left);

  for (gsize i = 0; n == g_variant_n_children (right) && i < n; i++)
    {
      g_autoptr (GVariant) a = g_variant_get_child_value (left, i);
      g_autoptr (GVariant) b = g_variant_get_child_value (right, i);

      if (strcmp (ls_params_string (a, "text", ""), ls_params_string (b, "text", "")) != 0)
        return i;
    }
  return n > 0 ? n - 1 : 0;
}

static void
show_writes (LsPairRun *self,
             guint      side,
             GVariant  *list,
             gsize      marked)
{
  clear_list (self->writes[side]);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *clock = ls_format_count (ls_params_int (one, "clock", 0));
      /* Translators: a statement of a run: its number, an element and its value, the loops around: statement 12: C[0, 1] = 0.5, i = 0, j = 1 */
      g_autofree char *words = g_strdup_printf (_("statement %s: %s = %s, %s"), clock, ls_params_string (one, "element", "?"), ls_params_string (one, "text", "?"),
                                                ls_params_string (one, "loops", ""));
      GtkWidget *label = ls_part_label (words, "code");

      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_set_margin_start (label, 8);
      g_object_set_data_full (G_OBJECT (label), "command", g_strdup_printf ("goto %" G_GINT64_FORMAT, ls_params_int (one, "clock", 0)), g_free);
      gtk_list_box_append (GTK_LIST_BOX (self->writes[side]), label);
      if (i == marked)
        gtk_list_box_select_row (GTK_LIST_BOX (self->writes[side]), GTK_LIST_BOX_ROW (gtk_widget_get_parent (label)));
    }
}

/* The step that the answer is about, as it is called. (transfer full), or NULL */
static char *
step_words (LsPairRun *self,
            GVariant  *answer)
{
  gint64 step = ls_params_int (answer, "step", 0);
  guint id;
  LsHistory *history = ls_pair_history (self, 1, &id);
  LsHistoryNode *node;

  if (step <= 0 || self->path->len <= 2 || step >= self->path->len || strcmp (ls_params_string (answer, "differ", ""), "real") != 0)
    return NULL;
  node = ls_history_get (history, g_array_index (self->path, guint, step));
  return g_strdup_printf (_("Step %u, %s, changed the result."), node->number, node->call);
}

static void
show_answer (LsPairRun *self,
             GVariant  *answer)
{
  const char *differ = ls_params_string (answer, "differ", "");
  g_autoptr (GVariant) left = ls_params_value (answer, "left-writes");
  g_autoptr (GVariant) right = ls_params_value (answer, "right-writes");
  g_autofree char *step = step_words (self, answer);
  g_autofree char *where = NULL;
  g_autofree char *words = NULL;
  gint64 number = ls_params_int (answer, "step", 0);
  gsize at;
  guint leads;
  GVariant *list;

  if (strcmp (differ, "none") == 0)
    {
      g_auto (GStrv) at_once = ls_params_strv (answer, "at-once");
      g_autofree char *loops = at_once != NULL ? g_strjoinv (", ", at_once) : NULL;
      g_autofree char *both = !self->known ? g_strdup (_("They do not part: their results are the same."))
                              /* Translators: loops and how they run: j_1 (vectorized), i (parallel) */
                              : loops != NULL ? g_strdup_printf (_("Statement by statement both give the same: what differs comes from rounds that run at once (%s), or from how machine code rounds."), loops)
                                              : g_strdup (_("Statement by statement both give the same: what differs comes from how machine code rounds."));

      gtk_label_set_label (GTK_LABEL (self->verdict), both);
      return;
    }
  where = g_strdup_printf (_("First at %s: %s on the left, %s on the right (%.3g units in the last place). %s"), ls_params_string (answer, "element", "?"),
                           ls_params_string (answer, "left", "?"), ls_params_string (answer, "right", "?"), ls_params_double (answer, "ulp", 0),
                           ls_params_string (answer, "why", ""));
  words = g_strdup_printf ("%s%s%s %s", step != NULL ? step : "", step != NULL ? " " : "",
                           strcmp (differ, "real") == 0 ? _("The results differ.") : _("The results differ by rounding only."), where);
  gtk_label_set_label (GTK_LABEL (self->verdict), words);
  if (left == NULL || right == NULL)
    return;
  at = first_other (left, right);
  show_writes (self, 0, left, at);
  show_writes (self, 1, right, at);
  gtk_widget_set_visible (self->writes_box, TRUE);
  leads = g_variant_n_children (left) > 0 ? 0 : 1;
  list = leads == 0 ? left : right;
  if (g_variant_n_children (list) == 0)
    return;
  {
    g_autofree char *command = g_strdup_printf ("goto %" G_GUINT64_FORMAT, clock_of (list, MIN (at, g_variant_n_children (list) - 1)));

    if (number > 0 && self->path->len > 2 && number < self->path->len)
      self->open (self, g_array_index (self->path, guint, number - 1), g_array_index (self->path, guint, number), leads, g_steal_pointer (&command));
    else if (self->look == NULL)
      {
        g_free (self->after_open);      /* the two are on their way to where it is sent */
        self->after_open = g_steal_pointer (&command);
        self->lead_after = leads;
      }
    else
      {
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->right_leads), leads == 1);
        self->send (self, command);
      }
  }
}

/* ---- asking ------------------------------------------------------------------------------------------ */

static void
end_asking (LsPairRun *self)
{
  g_clear_object (&self->parting);
  if (self->part_worker != NULL)
    ls_worker_stop (self->part_worker);
  g_clear_object (&self->part_worker);
}

static void
part_answered (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  LsPairRun *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  end_asking (self);
  self->show_buttons (self);
  if (answer == NULL)
    gtk_label_set_label (GTK_LABEL (self->verdict), error->message);
  else
    show_answer (self, answer);
}

static void
printed (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  LsPairRun *self = data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) texts = g_task_propagate_pointer (G_TASK (result), &error);
  GVariantDict params;

  if (texts == NULL)
    return;             /* given up: the window may be gone */
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "modules", "^as", texts);
  ls_run_begun_put (&params, self->sizes);
  self->part_worker = ls_worker_new ();
  ls_worker_call_async (self->part_worker, "debug-part", g_variant_dict_end (&params), NULL, self->parting, part_answered, self);
}

void
ls_pair_part_ask (LsPairRun *self)
{
  g_autoptr (GTask) task = NULL;
  Printing *printing;
  guint id;

  /* A page that compares has two sides also where no program is open. */
  if (!self->has_ids || self->parting != NULL || ls_pair_history (self, 0, &id) == NULL || ls_pair_history (self, 1, &id) == NULL)
    return;
  printing = printing_new (self);
  g_clear_pointer (&self->path, g_array_unref);
  self->path = g_array_ref (printing->ids);
  self->parting = g_cancellable_new ();
  self->show_buttons (self);
  gtk_label_set_label (GTK_LABEL (self->verdict), _("Running the programs of the steps…"));
  task = g_task_new (NULL, self->parting, printed, self);
  g_task_set_task_data (task, printing, printing_free);
  ls_task_run (task, print_all);
}

void
ls_pair_part_end (LsPairRun *self)
{
  if (self->parting != NULL)
    g_cancellable_cancel (self->parting);
  end_asking (self);
  g_clear_pointer (&self->path, g_array_unref);
}

void
ls_pair_part_forget (LsPairRun *self)
{
  ls_pair_part_end (self);
  self->show_buttons (self);
  gtk_label_set_label (GTK_LABEL (self->verdict), "");
  gtk_widget_set_visible (self->writes_box, FALSE);
}

static void
write_chosen (GtkListBox    *list,
              GtkListBoxRow *row,
              LsPairRun     *self)
{
  const char *command = g_object_get_data (G_OBJECT (gtk_list_box_row_get_child (row)), "command");

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->right_leads), GTK_WIDGET (list) == self->writes[1]);
  if (self->asking == NULL)
    self->send (self, command);
}

GtkWidget *
ls_pair_part_new (LsPairRun *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->part = ls_part_word_button ("edit-find-symbolic", _("Show where they part"));
  gtk_widget_set_valign (self->part, GTK_ALIGN_START);
  g_signal_connect_swapped (self->part, "clicked", G_CALLBACK (ls_pair_part_ask), self);
  self->verdict = ls_part_label (NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_widget_set_hexpand (self->verdict, TRUE);
  gtk_box_append (GTK_BOX (row), self->part);
  gtk_box_append (GTK_BOX (row), self->verdict);
  self->writes_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_set_homogeneous (GTK_BOX (self->writes_box), TRUE);
  gtk_widget_set_visible (self->writes_box, FALSE);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *scroller = gtk_scrolled_window_new ();

      self->writes[i] = gtk_list_box_new ();
      ls_tab_stop_make (self->writes[i]);
      gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->writes[i]), TRUE);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->writes[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      i == 0 ? _("Writes of the element on the left") : _("Writes of the element on the right"), -1);
      g_signal_connect (self->writes[i], "row-activated", G_CALLBACK (write_chosen), self);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->writes[i]);
      gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 84);
      gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), FALSE);
      gtk_box_append (GTK_BOX (self->writes_box), scroller);
    }
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->writes_box);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}
