/* passes/window-follow: what is pinned is looked for in all dumps, in a thread; the list marks those that touch it, the texts light it. */
#include "app/passes/private.h"

#include "app/llvm/reader.h"
#include "engine/base/task.h"
#include "engine/passlog/follow.h"
#include "views/compare/texts.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LsPasses *passes;
  char     *what;               /* as ls_pass_log_find_lines() takes it, or a line of the part */
  guint     dump;
  int       part;               /* `what` is the `nth` line of this one that reads so; -1: it is to be looked for */
  guint     nth;
  gboolean  stands;             /* a run stands still there: nobody asked for it */
  GArray   *mentions;           /* what came out; NULL: it is nowhere */
  guint8   *touches;
  char     *reader;             /* who read what was matched by a diff, or NULL */
} Pin;

static void
pin_free (gpointer data)
{
  Pin *pin = data;

  ls_passes_unref (pin->passes);
  g_free (pin->what);
  g_clear_pointer (&pin->mentions, g_array_unref);
  g_free (pin->touches);
  g_free (pin->reader);
  g_free (pin);
}

/* Do two lines read the same? Of a run's text the function stands further in. */
static gboolean
is_line (const Pin  *pin,
         const char *line)
{
  const char *what = pin->what;

  if (pin->stands)
    {
      line += strspn (line, " ");
      what += strspn (what, " ");
    }
  return strcmp (line, what) == 0;
}

/* The line of the part that the pin means. (transfer full); NULL: it has none. */
static GArray *
line_of (Pin *pin)
{
  g_autofree char *text = ls_pass_log_part_text (ls_passes_get_log (pin->passes), (guint) pin->part);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GArray *found = NULL;

  for (guint i = 0, n = 0; lines[i] != NULL && found == NULL; i++)
    {
      g_autofree char *line = g_utf8_make_valid (lines[i], -1);

      if (is_line (pin, line) && n++ == pin->nth)
        {
          found = g_array_new (FALSE, FALSE, sizeof (guint));
          g_array_append_val (found, i);
        }
    }
  return found;
}

/* In another thread. */
static void
follow (GTask        *task,
        gpointer      source,
        gpointer      data,
        GCancellable *cancellable)
{
  Pin *pin = data;
  LsPassLog *log = ls_passes_get_log (pin->passes);
  g_autoptr (GArray) lines = NULL;
  int part = pin->part;

  if (part >= 0)
    lines = line_of (pin);
  else
    {
      part = ls_pass_log_find_lines (log, pin->what, NULL, pin->dump, &lines);
      if (part < 0 && pin->dump > 0)
        part = ls_pass_log_find_lines (log, pin->what, NULL, 0, &lines);
    }
  if (part >= 0 && lines != NULL)
    {
      pin->mentions = ls_pass_log_follow_full (log, (guint) part, lines, ls_pass_log_size (log) <= LS_LLVM_READS_ALL, &pin->reader);
      pin->touches = ls_pass_log_touches (log, pin->mentions);
    }
  g_task_return_boolean (task, TRUE);
}

/* What becomes of the line before which a run stands still. (transfer full) */
static char *
stand_words (const char *name,
             guint       touched,
             int         gone,
             const char *pass)
{
  if (gone >= 0)
    return g_strdup_printf (ngettext ("The run stands at “%s”: %u pass touches it; %d %s removes it.", "The run stands at “%s”: %u passes touch it; %d %s removes it.", touched), name,
                            touched, gone + 1, pass);
  return g_strdup_printf (ngettext ("The run stands at “%s”: %u pass touches it; it is there to the end.", "The run stands at “%s”: %u passes touch it; it is there to the end.", touched),
                          name, touched);
}

/* What becomes of what the user named. (transfer full) */
static char *
named_words (const char *name,
             guint       touched,
             int         gone,
             const char *pass)
{
  if (gone >= 0)
    return g_strdup_printf (ngettext ("“%s”: %u pass touches it; %d %s removes it.", "“%s”: %u passes touch it; %d %s removes it.", touched), name, touched, gone + 1, pass);
  return g_strdup_printf (ngettext ("“%s”: %u pass touches it; it is there to the end.", "“%s”: %u passes touch it; it is there to the end.", touched), name, touched);
}

static void
say_followed (LsPassesWindow *self,
              const char     *what)
{
  guint n = ls_passes_get_log (self->passes)->dumps->len, touched = 0;
  g_autofree char *name = g_strstrip (g_strdup (what));
  g_autofree char *words = NULL;
  const char *pass;
  int gone = -1;

  for (guint i = 0; i < n; i++)
    {
      touched += self->touches[i] >= LS_PASS_TOUCH_CHANGED;
      if (self->touches[i] == LS_PASS_TOUCH_GONE)
        gone = (int) i;
    }
  pass = gone >= 0 ? ls_passes_get_dump (self->passes, (guint) gone)->pass : NULL;
  words = self->by_stand ? stand_words (name, touched, gone, pass) : named_words (name, touched, gone, pass);
  gtk_label_set_label (GTK_LABEL (self->pin_words), words);
  gtk_widget_set_visible (self->pin, TRUE);
}

static void
followed (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *reader = NULL;
  Pin *pin = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    return;             /* cancelled: the window may be gone */
  g_clear_object (&self->following);
  if (pin->mentions == NULL && pin->stands)
    {
      ls_passes_window_follow_end (self);
      return;
    }
  if (pin->mentions == NULL)
    {
      g_autofree char *name = g_strstrip (g_strdup (pin->what)), *words = g_strdup_printf (_("No dump has “%s”."), name);

      gtk_label_set_label (GTK_LABEL (self->answer), words);
      return;
    }
  ls_passes_window_follow_end (self);
  self->by_stand = pin->stands;
  self->mentions = g_steal_pointer (&pin->mentions);
  self->touches = g_steal_pointer (&pin->touches);
  self->followed = g_strstrip (g_strdup (pin->what));
  gtk_label_set_label (GTK_LABEL (self->answer), "");
  say_followed (self, pin->what);
  reader = ls_passes_reader_words (pin->reader);
  gtk_widget_set_tooltip_text (self->pin_words, *reader != '\0' ? reader : NULL);
  ls_passes_list_set_touches (LS_PASSES_LIST (self->list), self->touches);
  ls_passes_window_follow_show (self);
}

/* Takes `what`. */
static void
start (LsPassesWindow *self,
       char           *what,
       guint           dump,
       int             part,
       guint           nth,
       gboolean        stands)
{
  g_autoptr (GTask) task = NULL;
  Pin *pin = g_new0 (Pin, 1);

  ls_passes_window_stop (&self->following);
  *pin = (Pin) { ls_passes_ref (self->passes), what, dump, part, nth, stands, NULL, NULL, NULL };
  self->following = g_cancellable_new ();
  task = g_task_new (self->window, self->following, followed, self);
  g_task_set_task_data (task, pin, pin_free);
  ls_task_run (task, follow);
}

/* The part that is shown; -1: none. */
static int
shown_part (LsPassesWindow *self)
{
  guint function = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->functions));

  return function < self->parts->len ? (int) g_array_index (self->parts, guint, function) : -1;
}

/* Numbers + 1 of the parts on the left and on the right of the texts; 0: none. */
static void
sides_of (LsPassesWindow *self,
          guint           part,
          guint          *left,
          guint          *right)
{
  LsPassLog *log = ls_passes_get_log (self->passes);
  LsPassPart *at = &g_array_index (log->parts, LsPassPart, part);

  *left = log->before_only ? part + 1 : at->before;
  *right = log->before_only ? at->after : part + 1;
}

void
ls_passes_window_follow_word (LsPassesWindow *self)
{
  const char *what = gtk_editable_get_text (GTK_EDITABLE (self->search));
  gboolean other;
  int dump = self->passes != NULL ? ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other) : -1;

  if (self->passes != NULL && *what != '\0')
    start (self, g_strdup (what), dump >= 0 ? (guint) dump : 0, -1, 0, FALSE);
  else
    {
      gtk_label_set_label (GTK_LABEL (self->answer), self->passes == NULL ? "" : _("Write a name, a value or any text first."));
      gtk_widget_grab_focus (self->search);
    }
}

void
ls_passes_window_follow_line (LsPassesWindow *self)
{
  gboolean left;
  guint nth, before, after;
  g_autofree char *line = ls_compare_texts_get_line (LS_COMPARE_TEXTS (self->texts), &left, &nth);
  int part = self->passes != NULL ? shown_part (self) : -1;

  if (line == NULL || part < 0 || line[strspn (line, " \t")] == '\0')
    {
      gtk_label_set_label (GTK_LABEL (self->answer), _("Put the cursor into a line of a function first."));
      return;
    }
  sides_of (self, (guint) part, &before, &after);
  if ((left ? before : after) > 0)
    start (self, g_steal_pointer (&line), 0, (int) (left ? before : after) - 1, nth, FALSE);
  else if ((left ? after : before) > 0)
    start (self, g_steal_pointer (&line), 0, (int) (left ? after : before) - 1, nth, FALSE);
}

void
ls_passes_window_follow_stand (LsPassesWindow *self,
                               guint           dump,
                               const char     *line,
                               guint           nth)
{
  if (self->passes == NULL || (self->followed != NULL && !self->by_stand))
    return;             /* the user follows something else */
  if (line != NULL && ls_passes_get_dump (self->passes, dump)->n > 0)
    start (self, g_strdup (line), 0, (int) ls_passes_get_dump (self->passes, dump)->first, nth, TRUE);
  else if (self->by_stand)
    ls_passes_window_follow_end (self);
}

void
ls_passes_window_follow_go (LsPassesWindow *self,
                            int             direction)
{
  gboolean other;
  int at = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  int n = self->passes != NULL ? (int) ls_passes_get_log (self->passes)->dumps->len : 0;

  if (self->touches == NULL)
    return;
  for (at += direction; at >= 0 && at < n; at += direction)
    if (self->touches[at] >= LS_PASS_TOUCH_CHANGED)
      {
        ls_passes_list_choose (LS_PASSES_LIST (self->list), (guint) at);
        return;
      }
}

/* Lines of a shown text that are mentions of a part (number + 1). (transfer full): of guint */
static GArray *
shown_lines (LsPassesWindow *self,
             guint           part,
             LsScriptText   *shown)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *text = part > 0 ? ls_pass_log_part_text (ls_passes_get_log (self->passes), part - 1) : NULL;
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  g_auto (GStrv) seen = g_strsplit (ls_script_text_get_text (shown), "\n", -1);
  guint n = lines != NULL ? g_strv_length (lines) : 0, at = 0;

  for (guint i = 0; i < self->mentions->len; i++)
    {
      LsPassMention *mention = &g_array_index (self->mentions, LsPassMention, i);

      if (mention->part + 1 != part || mention->line >= n)
        continue;
      if (mention->line < g_strv_length (seen) && strcmp (seen[mention->line], lines[mention->line]) == 0)
        at = mention->line;     /* nothing in front of it is left out */
      while (seen[at] != NULL && strcmp (seen[at], lines[mention->line]) != 0)
        at++;
      if (seen[at] == NULL)
        break;
      g_array_append_val (found, at);
      at++;
    }
  return found;
}

void
ls_passes_window_follow_show (LsPassesWindow *self)
{
  int part = self->passes != NULL ? shown_part (self) : -1;
  g_autoptr (GArray) left = NULL, right = NULL;
  guint before, after;

  if (self->mentions == NULL || part < 0 || self->comparison == NULL)
    return;
  sides_of (self, (guint) part, &before, &after);
  left = shown_lines (self, before, self->comparison->left.text);
  right = shown_lines (self, after, self->comparison->right.text);
  if (left->len + right->len > 0)
    ls_compare_texts_light (LS_COMPARE_TEXTS (self->texts), left, right);
}

void
ls_passes_window_follow_end (LsPassesWindow *self)
{
  ls_passes_window_stop (&self->following);
  g_clear_pointer (&self->mentions, g_array_unref);
  g_clear_pointer (&self->touches, g_free);
  g_clear_pointer (&self->followed, g_free);
  self->by_stand = FALSE;
  gtk_widget_set_visible (self->pin, FALSE);
  ls_passes_list_set_touches (LS_PASSES_LIST (self->list), NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->pin_only), FALSE);
}

/* ---- the row ------------------------------------------------------------------------- */

static void
next (LsPassesWindow *self)
{
  ls_passes_window_follow_go (self, 1);
}

static void
previous (LsPassesWindow *self)
{
  ls_passes_window_follow_go (self, -1);
}

static void
add_button (LsPassesWindow *self,
            GtkWidget      *row,
            const char     *words,
            GCallback       clicked)
{
  GtkWidget *button = gtk_button_new_with_label (words);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  gtk_box_append (GTK_BOX (row), button);
}

static void
only_toggled (LsPassesWindow *self)
{
  gboolean only = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->pin_only));

  if (only != ls_passes_list_get_only_touched (LS_PASSES_LIST (self->list)))
    ls_passes_list_set_only_touched (LS_PASSES_LIST (self->list), only);
}

GtkWidget *
ls_passes_window_follow_row (LsPassesWindow *self)
{
  self->pin = ls_part_row ("compare-head");
  self->pin_words = ls_part_label (NULL, "strong");
  gtk_label_set_ellipsize (GTK_LABEL (self->pin_words), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->pin_words, TRUE);
  gtk_box_append (GTK_BOX (self->pin), self->pin_words);
  self->pin_only = gtk_toggle_button_new_with_label (_("Only those"));
  gtk_widget_set_valign (self->pin_only, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->pin_only, _("Shows only passes that touch what is followed"));
  g_signal_connect_swapped (self->pin_only, "toggled", G_CALLBACK (only_toggled), self);
  gtk_box_append (GTK_BOX (self->pin), self->pin_only);
  add_button (self, self->pin, _("Previous that touches it"), G_CALLBACK (previous));
  add_button (self, self->pin, _("Next that touches it"), G_CALLBACK (next));
  add_button (self, self->pin, _("Stop following"), G_CALLBACK (ls_passes_window_follow_end));
  gtk_widget_set_visible (self->pin, FALSE);
  return self->pin;
}
