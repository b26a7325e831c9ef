/* passes/window-show: a thread makes the texts of the chosen pass. */
#include "app/passes/private.h"

#include "engine/base/task.h"
#include "views/compare/texts.h"
#include "views/parts/choice-name.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_FUNCTIONS 500      /* in the choice of functions */

/* ---- the chosen pass ----------------------------------------------------------------- */

typedef struct {
  LsPasses    *passes;
  guint        dump;
  int          part;            /* -1: none */
  gboolean     other;
  LsPassesView view;
  LsPasses    *beside;          /* another log whose text stands on the right, or NULL */
  guint        beside_dump;
  char        *reader;          /* who read it, or NULL */
} Wish;

static void
wish_free (gpointer data)
{
  ls_passes_unref (((Wish *) data)->passes);
  if (((Wish *) data)->beside != NULL)
    ls_passes_unref (((Wish *) data)->beside);
  g_free (((Wish *) data)->reader);
  g_free (data);
}

static void
comparison_unref (gpointer data)
{
  ls_comparison_unref (data);
}

/* In another thread. */
static void
make_texts (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Wish *wish = data;

  if (wish->beside != NULL)
    {
      g_task_return_pointer (task, ls_passes_compare_two (wish->passes, wish->part, wish->beside, wish->beside_dump, &wish->view, &wish->reader), comparison_unref);
      return;
    }
  g_task_return_pointer (task, wish->other ? ls_passes_other (wish->passes, wish->dump) : ls_passes_compare (wish->passes, wish->dump, wish->part, &wish->view, &wish->reader),
                         comparison_unref);
}

static void
put_texts (LsPassesWindow *self,
           LsComparison   *comparison)
{
  ls_compare_texts_set (LS_COMPARE_TEXTS (self->texts), comparison);
  g_clear_pointer (&self->comparison, ls_comparison_unref);
  self->comparison = comparison;
  ls_compare_texts_set_narrow (LS_COMPARE_TEXTS (self->texts), self->narrow || (comparison != NULL && comparison->left.text == comparison->right.text));
}

static void
show_reader (LsPassesWindow *self,
             const char     *reader)
{
  g_autofree char *words = ls_passes_reader_words (reader);

  gtk_label_set_label (GTK_LABEL (self->reader), words);
  gtk_widget_set_tooltip_text (self->reader, words);
  gtk_widget_set_visible (self->reader, *words != '\0');
}

static void
texts_made (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  LsPassesWindow *self = data;
  LsComparison *comparison = g_task_propagate_pointer (G_TASK (result), NULL);

  if (comparison == NULL)
    return;             /* cancelled: the window may be gone */
  g_clear_object (&self->showing);
  put_texts (self, comparison);
  show_reader (self, ((Wish *) g_task_get_task_data (G_TASK (result)))->reader);
  ls_passes_window_follow_show (self);
}

static LsPassesView
view_of (LsPassesWindow *self)
{
  static const LsPassHide HIDES[] = { LS_PASS_HIDE_METADATA, LS_PASS_HIDE_DEBUG, LS_PASS_HIDE_ATTRIBUTES };
  LsPassesView view = { LS_PASSES_OPERATIONS, 0, gtk_check_button_get_active (GTK_CHECK_BUTTON (self->around)), !self->plain };

  for (guint i = 0; i < G_N_ELEMENTS (self->manners); i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->manners[i])))
      view.manner = (LsPassesManner) i;
  for (guint i = 0; i < G_N_ELEMENTS (HIDES); i++)
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->hides[i])))
      view.hide |= HIDES[i];
  return view;
}

static void
ask_texts (LsPassesWindow *self)
{
  guint function = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->functions));
  g_autoptr (GTask) task = NULL;
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  Wish *wish;
  int beside;

  ls_passes_window_stop (&self->showing);
  if (dump < 0 || self->passes == NULL)
    return;
  wish = g_new0 (Wish, 1);
  *wish = (Wish) { ls_passes_ref (self->passes), (guint) dump, function < self->parts->len ? (int) g_array_index (self->parts, guint, function) : -1, other,
                   view_of (self), NULL, 0 };
  beside = other ? -1 : ls_passes_window_beside_dump (self, (guint) dump);
  if (beside >= 0 && wish->view.manner != LS_PASSES_DUMP)
    {
      wish->beside = ls_passes_ref (self->other);
      wish->beside_dump = (guint) beside;
    }
  self->showing = g_cancellable_new ();
  task = g_task_new (self->window, self->showing, texts_made, self);
  g_task_set_task_data (task, wish, wish_free);
  ls_task_run (task, make_texts);
}

void
ls_passes_window_view_changed (LsPassesWindow *self)
{
  if (self->filling)
    return;
  ask_texts (self);
  ls_passes_window_graph_update (self);
}

/* Functions of the dump: those that changed, else all. */
static void
fill_functions (LsPassesWindow *self,
                guint           dump)
{
  LsPassDump *at = ls_passes_get_dump (self->passes, dump);
  LsPassLog *log = ls_passes_get_log (self->passes);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  g_array_set_size (self->parts, 0);
  for (guint round = 0; round < 2 && self->parts->len == 0; round++)
    for (guint i = at->first; i < at->first + at->n && self->parts->len < MOST_FUNCTIONS; i++)
      if (round == 1 || ls_pass_log_part_changed (log, i))
        {
          const char *name = g_array_index (log->parts, LsPassPart, i).name;

          g_array_append_val (self->parts, i);
          gtk_string_list_append (names, *name != '\0' ? name : _("whole text"));
        }
  self->filling = TRUE;
  ls_choice_set_words (GTK_DROP_DOWN (self->functions), names);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->functions), self->parts->len > 0 ? 0 : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (self->functions, self->parts->len > 1);
  self->filling = FALSE;
}

/* The pass in front of it that failed. (transfer full) */
static char *
unreached_words (LsPassesWindow *self,
                 guint           dump)
{
  while (dump > 0 && ls_passes_get_note (self->passes, dump)->state == LS_PASSES_UNREACHED)
    dump--;
  return g_strdup_printf (_("This pass is not reached: %s cannot go on."), ls_passes_get_dump (self->passes, dump)->pass);
}

static void
show_summary (LsPassesWindow *self,
              const char     *summary)
{
  gtk_label_set_label (GTK_LABEL (self->summary), summary);
  gtk_widget_set_visible (self->summary, *summary != '\0');
}

/* Passes on loops of the function that may have done what this one seems to have; NULL: none. (transfer full) */
static char *
unprinted_words (LsPassesWindow *self,
                 guint           dump)
{
  g_autoptr (GArray) others = ls_pass_log_unprinted (ls_passes_get_log (self->passes), dump);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < others->len && i < 4; i++)
    g_string_append_printf (names, i > 0 ? ", %u %s" : "%u %s", g_array_index (others, guint, i) + 1,
                            ls_passes_get_dump (self->passes, g_array_index (others, guint, i))->pass);
  if (others->len > 4)
    g_string_append (names, ", …");
  return others->len > 0 ? g_strdup_printf (_("Some of this may be the work of %s: of passes on loops the log has only the loop, unless -print-module-scope is given."), names->str)
                         : NULL;
}

/* Aliases of MLIR that stand for something else after the pass: lines that read the same changed by that; NULL: none. (transfer full) */
static char *
aliases_words (LsPassesWindow *self,
               guint           dump)
{
  LsPassDump *at = ls_passes_get_dump (self->passes, dump);
  GHashTable *before = NULL, *after = NULL;
  g_autoptr (GString) words = g_string_new (NULL);
  g_auto (GStrv) names = NULL;

  if (at->n == 0 || !at->effective)
    return NULL;
  ls_pass_log_side_aliases (ls_passes_get_log (self->passes), at->first, &before, &after);
  names = ls_pass_aliases_changed (before, after);
  for (guint i = 0; names[i] != NULL && i < 3; i++)
    {
      /* Translators: a name of MLIR, what it was another name of before a pass, and what it is after */
      g_autofree char *one = g_strdup_printf (_("%s was %s and is %s: lines with it changed, though they read the same."), names[i],
                                              (char *) g_hash_table_lookup (before, names[i]), (char *) g_hash_table_lookup (after, names[i]));
      g_autofree char *valid = g_utf8_make_valid (one, -1);

      g_string_append_printf (words, i > 0 ? "\n%s" : "%s", valid);
    }
  g_clear_pointer (&before, g_hash_table_unref);
  g_clear_pointer (&after, g_hash_table_unref);
  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

static void
show_notice (LsPassesWindow *self,
             guint           dump)
{
  const char *words = "";
  LsPassDump *at = ls_passes_get_dump (self->passes, dump);
  const LsPassesNote *note = ls_passes_get_note (self->passes, dump);
  g_autofree char *unreached = NULL, *unprinted = NULL, *aliases = NULL;

  if (note != NULL)
    words = note->state == LS_PASSES_FAILED ? note->trouble : note->state == LS_PASSES_UNREACHED ? (unreached = unreached_words (self, dump)) : "";
  else if (at->kind != LS_PASS_DUMP_START && !ls_pass_log_tells (ls_passes_get_log (self->passes), dump) && at->n > 0)
    words = _("The log has no other dump of this function to hold against this one: what the pass did is not known.");
  else if ((unprinted = unprinted_words (self, dump)) != NULL)
    words = unprinted;
  else if ((aliases = aliases_words (self, dump)) != NULL)
    words = aliases;
  else if (at->kind == LS_PASS_DUMP_UNCHANGED || at->kind == LS_PASS_DUMP_FILTERED)
    words = _("The log has no text for this pass.");
  if (note != NULL && note->state == LS_PASSES_FAILED)
    gtk_widget_add_css_class (self->notice, "error");
  else
    gtk_widget_remove_css_class (self->notice, "error");
  gtk_label_set_label (GTK_LABEL (self->notice), words);
  gtk_widget_set_visible (self->notice, *words != '\0');
}

static const char *
text_kind (LsPassesWindow *self,
           guint           dump)
{
  LsPassLogKind language = ls_passes_get_dump (self->passes, dump)->language;

  if (ls_passes_get_note (self->passes, dump) == NULL)
    return ls_passes_kind_words (language);
  return language == LS_PASS_LOG_LLVM ? "LLVM IR" : _("TVMScript");
}

/* Beside the name of the pass: what it changed, or of a log of others where it stands. */
static void
show_words (LsPassesWindow *self,
            guint           dump)
{
  const char *unit = ls_passes_get_unit (self->passes, dump);
  g_autofree char *line = NULL, *words = NULL;

  if (ls_passes_get_note (self->passes, dump) != NULL)
    {
      words = ls_passes_words (self->passes, dump);
      ls_part_set_figure (GTK_LABEL (self->words), words);
      return;
    }
  line = g_strdup_printf (_("line %u"), ls_passes_get_dump (self->passes, dump)->line);
  words = *unit != '\0' ? g_strdup_printf (_("%s, %s"), unit, line) : g_strdup (line);
  gtk_label_set_label (GTK_LABEL (self->words), words);
}

void
ls_passes_window_counted (LsPassesWindow *self,
                          guint           dump)
{
  gboolean other;

  if (self->passes != NULL && ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other) == (int) dump && !other)
    show_words (self, dump);
}

void
ls_passes_window_chosen (LsPassesWindow *self)
{
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  g_autofree char *title = NULL;

  if (!ls_passes_list_get_only_touched (LS_PASSES_LIST (self->list)))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->pin_only), FALSE);
  if (!self->keeps_place)
    ls_compare_texts_forget_place (LS_COMPARE_TEXTS (self->texts));
  ls_passes_window_stop (&self->showing);
  show_summary (self, dump >= 0 && !other && self->passes != NULL ? ls_passes_get_summary (self->passes, (guint) dump) : "");
  if (dump < 0 || self->passes == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->name), "");
      gtk_label_set_label (GTK_LABEL (self->words), "");
      gtk_widget_set_visible (self->functions, FALSE);
      gtk_widget_set_visible (self->notice, FALSE);
      put_texts (self, NULL);
      return;
    }
  if (other)
    {
      g_array_set_size (self->parts, 0);
      gtk_widget_set_visible (self->functions, FALSE);
      gtk_widget_set_visible (self->notice, FALSE);
      gtk_label_set_label (GTK_LABEL (self->name), _("Other output"));
      gtk_label_set_label (GTK_LABEL (self->words), "");
      ask_texts (self);
      return;
    }
  title = g_strdup_printf ("%d  %s", dump + 1, ls_passes_get_dump (self->passes, (guint) dump)->pass);
  gtk_label_set_label (GTK_LABEL (self->name), title);
  show_words (self, (guint) dump);
  ls_compare_texts_set_title (LS_COMPARE_TEXTS (self->texts), text_kind (self, (guint) dump));
  fill_functions (self, (guint) dump);
  show_notice (self, (guint) dump);
  ask_texts (self);
  ls_passes_window_graph_update (self);
}
