/* LsCellView: number, state and time; Edit, Run or Stop; code; output.  An exercise also has its task, its cases with
 * their verdicts, a hint and a solution that are asked for.
 */
#include "app/learn/cell-view.h"

#include "app/learn/code-view.h"
#include "app/learn/sides-view.h"
#include "app/learn/output-box.h"
#include "app/learn/prose.h"
#include "app/rpc/rpc.h"
#include "views/models/format.h"
#include "views/parts/fold.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsCellView {
  GtkBox              parent_instance;

  LsPlay             *play;
  guint               part;
  const LsLessonPart *of;
  GtkWidget          *state;
  GtkWidget          *edit;
  GtkWidget          *revert;
  GtkWidget          *run;
  GtkWidget          *fold;
  GtkWidget          *code_scroll;
  GtkWidget          *code;
  GtkWidget          *output;
  GtkWidget          *cases;    /* of an exercise, or NULL */
  gboolean            setting;
  gboolean            plain;    /* no other window is opened from here */
};

G_DEFINE_FINAL_TYPE (LsCellView, ls_cell_view, GTK_TYPE_BOX)

/* ---- what the buttons do ---- */

static void
take_code (LsCellView *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->code));
  GtkTextIter start, end;
  g_autofree char *text = NULL, *line = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  line = g_strconcat (text, "\n", NULL);
  ls_play_set_code (self->play, self->part, line);
}

static void
code_changed (LsCellView *self)
{
  if (self->setting)
    return;
  take_code (self);
  gtk_widget_set_visible (self->revert, ls_play_is_edited (self->play, self->part));
}

static void
set_text (LsCellView *self,
          const char *text)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (text));

  self->setting = TRUE;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->code)), trimmed, -1);
  self->setting = FALSE;
}

static void
revert (LsCellView *self)
{
  ls_play_set_code (self->play, self->part, self->of->code);
  set_text (self, self->of->code);
  gtk_widget_set_visible (self->revert, FALSE);
}

static void
run_or_stop (LsCellView *self)
{
  LsPlayState state = ls_play_get (self->play, self->part)->state;

  if (state != LS_PLAY_RUNNING)
    ls_play_run (self->play, self->part);
  else if (ls_play_get_unheard (self->play) > 0.5)
    ls_play_restart (self->play);
  else
    ls_play_interrupt (self->play);
}

static void
edit_toggled (LsCellView *self)
{
  gboolean on = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->edit));

  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->code), on);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (self->code), on);
  if (on)
    gtk_widget_grab_focus (self->code);
}

static gboolean
key_pressed (LsCellView      *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || !(state & GDK_CONTROL_MASK))
    return FALSE;
  run_or_stop (self);
  return TRUE;
}

static void
solution_asked (LsCellView *self)
{
  set_text (self, self->of->solution);
  take_code (self);
  gtk_widget_set_visible (self->revert, TRUE);
}

/* ---- what it shows ---- */

static char *
state_words (const LsPlayPart *part,
             gboolean          edited)
{
  g_autofree char *time = part->ns > 0 ? ls_format_time (part->ns * 1e-9) : NULL;

  switch (part->state)
    {
    case LS_PLAY_IDLE:
      return g_strdup (part->solved ? _("Python · solved") : _("Python · not run"));
    case LS_PLAY_QUEUED:
      return g_strdup (_("Python · waits"));
    case LS_PLAY_RUNNING:
      return g_strdup (_("Python · runs"));
    case LS_PLAY_DONE:
      return g_strdup_printf ("Python · %s", time != NULL ? time : "");
    case LS_PLAY_FAILED:
      return g_strdup (part->sentence == NULL && part->answer != NULL ? _("Python · not yet") : _("Python · stopped"));
    case LS_PLAY_SKIPPED:
      return g_strdup (_("Python · left out"));
    case LS_PLAY_GONE:
      return g_strdup (_("Python · to be run again"));
    case LS_PLAY_STALE:
      return g_strdup (edited ? _("Python · stale: edited since it ran") : _("Python · stale: an earlier cell was changed"));
    }

  return g_strdup ("");
}

static void
update_run (LsCellView       *self,
            const LsPlayPart *part)
{
  gboolean running = part->state == LS_PLAY_RUNNING;
  gboolean deaf = running && ls_play_get_unheard (self->play) > 0.5;
  const char *verb = deaf ? _("End Python") : running ? _("Stop") : self->cases != NULL ? _("Check") : _("Run");
  g_autofree char *label = g_strdup_printf ("%s %s %u", verb, self->cases != NULL ? _("exercise") : _("cell"), self->of->number);

  ls_set_icon_and_word (GTK_BUTTON (self->run), running ? "media-playback-stop-symbolic" : self->cases != NULL ? "object-select-symbolic"
                                                                                           : "media-playback-start-symbolic", verb);
  ls_set_label (self->run, label);
  gtk_widget_set_sensitive (self->run, part->state != LS_PLAY_QUEUED);
}

static void
add_case (LsCellView *self,
          GVariant   *row)
{
  gboolean passed = ls_params_bool (row, "passed", FALSE);
  const char *yours = ls_params_string (row, "yours", NULL);
  g_autofree char *loops = yours != NULL ? ls_sides_describe_loops (yours, ls_params_string (row, "wanted", "")) : NULL;
  g_autofree char *plain = ls_play_describe_difference (row);
  g_autofree char *difference = loops != NULL && plain != NULL ? g_strconcat (loops, " ", plain, NULL) : g_strdup (loops != NULL ? loops : plain);
  const char *message = difference != NULL ? difference : ls_params_string (row, "message", "");
  g_autofree char *text = g_strdup_printf ("%s %s%s%s", passed ? "✓" : "✗", ls_params_string (row, "name", "?"), *message != 0 ? ": " : "", message);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_widget_add_css_class (label, passed ? "can" : "cannot");
  gtk_box_append (GTK_BOX (self->cases), label);
}

static void
add_button (LsCellView *self,
            const char *words,
            const char *tooltip,
            const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (words);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", self->part);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->cases), button);
}

/* Both programs of the first case that compared two and failed, in step, and both arrays of the first one that compared such; on a slide there is no
 * window beside it. */
static void
add_sides (LsCellView       *self,
           const LsPlayPart *part)
{
  g_autoptr (GVariant) programs = ls_play_find_sides (part->answer);
  g_autoptr (GVariant) arrays = ls_play_find_arrays (part->answer);

  if (programs != NULL && !self->plain)
    add_button (self, _("Run two programs in step"), _("Runs yours beside what is wanted, and stands where the first element that differs is made"), "win.run-sides");
  if (arrays != NULL && !self->plain)
    add_button (self, _("Show the first element that differs"), _("Yours beside what is wanted, as values; each element that differs has a frame"), "win.show-arrays");
}

static void
update_cases (LsCellView       *self,
              const LsPlayPart *part)
{
  g_autoptr (GVariant) list = part->answer != NULL ? ls_params_value (part->answer, "cases") : NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->cases)) != NULL)
    gtk_box_remove (GTK_BOX (self->cases), child);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child_value = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) row = g_variant_is_of_type (child_value, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child_value) : g_variant_ref (child_value);

      add_case (self, row);
    }
  add_sides (self, part);
  gtk_widget_set_visible (self->cases, gtk_widget_get_first_child (self->cases) != NULL);
}

static void
update (LsCellView *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);
  g_autofree char *words = state_words (part, part->ran != NULL && strcmp (part->ran, ls_play_get_code (self->play, self->part)) != 0);
  g_autofree char *label = NULL;

  if (part->state == LS_PLAY_RUNNING && ls_play_get_unheard (self->play) > 0.5)
    label = g_strdup (_("A library is computing and cannot be interrupted now"));
  if (self->of->skip)
    label = g_strdup (_("Python · to be read, not run"));
  gtk_label_set_label (GTK_LABEL (self->state), label != NULL ? label : words);
  update_run (self, part);
  ls_output_box_update (LS_OUTPUT_BOX (self->output));
  if (self->cases != NULL)
    update_cases (self, part);
  if (part->state == LS_PLAY_STALE)
    gtk_widget_add_css_class (GTK_WIDGET (self), "stale");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "stale");
  if (part->state == LS_PLAY_RUNNING)
    gtk_widget_add_css_class (GTK_WIDGET (self), "running");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "running");
}

static void
part_changed (LsPlay     *play,
              guint       part,
              LsCellView *self)
{
  if (part == self->part)
    {
      g_autofree char *code = g_strdup (ls_play_get_code (play, part));

      update (self);
      if (!ls_play_is_edited (play, part) && gtk_widget_get_visible (self->revert))
        {
          set_text (self, code);
          gtk_widget_set_visible (self->revert, FALSE);
        }
    }
}

/* ---- making it ---- */

static GtkWidget *
make_head (LsCellView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *number = g_strdup_printf ("[%u]", self->of->number);
  GtkWidget *label = gtk_label_new (number);
  g_autofree char *edit_label = g_strdup_printf (_("Edit cell %u"), self->of->number);

  gtk_widget_add_css_class (box, "lesson-cell-head");
  gtk_widget_add_css_class (label, "code");
  gtk_widget_add_css_class (self->state, "caption");
  gtk_widget_set_hexpand (self->state, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->state), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (self->state), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->edit, "flat");
  gtk_widget_add_css_class (self->revert, "flat");
  ls_set_label (self->edit, edit_label);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->state);
  gtk_box_append (GTK_BOX (box), self->revert);
  gtk_box_append (GTK_BOX (box), self->edit);
  gtk_box_append (GTK_BOX (box), self->run);
  return box;
}

static GtkWidget *
make_code (LsCellView *self)
{
  g_autofree char *label = g_strdup_printf (_("Code of cell %u"), self->of->number);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->code = ls_code_view_new (ls_play_get_code (self->play, self->part), FALSE, label);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->code, keys);
  g_signal_connect_swapped (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->code)), "changed", G_CALLBACK (code_changed), self);
  return ls_scroller_new_wide (self->code);
}

/* The next hint can be opened when this one was. */
static void
hint_opened (GtkWidget *expander)
{
  GtkWidget *next = gtk_widget_get_next_sibling (expander);

  if (next != NULL && gtk_expander_get_expanded (GTK_EXPANDER (expander)))
    gtk_widget_set_visible (next, TRUE);
}

static GtkWidget *
make_hints (char      **hints,
            const char *folder)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  guint n = g_strv_length (hints);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = n > 1 ? g_strdup_printf (_("Hint %u of %u"), i + 1, n) : g_strdup (_("Hint"));
      g_autoptr (GPtrArray) blocks = ls_prose_parse (hints[i]);
      GtkWidget *expander = ls_fold_new (label, ls_prose_new (blocks, folder));

      gtk_widget_set_visible (expander, i == 0);
      ls_set_label (expander, label);
      g_signal_connect (expander, "notify::expanded", G_CALLBACK (hint_opened), NULL);
      gtk_box_append (GTK_BOX (box), expander);
    }
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

static void
add_hints (LsCellView *self,
           const char *folder)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_auto (GStrv) hints = ls_lesson_hints (self->of);

  gtk_widget_add_css_class (box, "lesson-cell-foot");
  if (hints[0] != NULL)
    gtk_box_append (GTK_BOX (box), make_hints (hints, folder));
  if (*self->of->solution != 0)
    {
      GtkWidget *button = gtk_button_new_with_label (_("Show me a solution"));

      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_valign (button, GTK_ALIGN_START);
      g_signal_connect_swapped (button, "clicked", G_CALLBACK (solution_asked), self);
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_box_append (GTK_BOX (self), box);
}

static void
add_task (LsCellView *self,
          const char *folder)
{
  GtkWidget *title = gtk_label_new (self->of->title != NULL ? self->of->title : _("Your turn"));
  GtkWidget *prose = ls_prose_new (self->of->blocks, folder);

  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_widget_add_css_class (title, "strong");
  gtk_widget_add_css_class (title, "lesson-task");
  gtk_widget_add_css_class (prose, "lesson-task");
  gtk_box_append (GTK_BOX (self), title);
  gtk_box_append (GTK_BOX (self), prose);
}

static void
fold_toggled (LsCellView *self)
{
  gtk_widget_set_visible (self->code_scroll, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold)));
}

static void
build (LsCellView *self,
       const char *folder)
{
  gboolean exercise = self->of->kind == LS_PART_EXERCISE;

  self->state = gtk_label_new (NULL);
  self->edit = gtk_toggle_button_new ();
  ls_set_icon_and_word (GTK_BUTTON (self->edit), "document-edit-symbolic", _("Edit"));
  self->revert = gtk_button_new_with_label (_("As it was"));
  self->run = gtk_button_new ();
  self->output = ls_output_box_new (self->play, self->part);
  if (exercise)
    {
      self->cases = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
      gtk_widget_add_css_class (self->cases, "lesson-cases");
      add_task (self, folder);
    }
  gtk_box_append (GTK_BOX (self), make_head (self));
  self->code_scroll = make_code (self);
  if (self->of->folded)
    {
      self->fold = gtk_toggle_button_new_with_label (_("Setup"));
      gtk_widget_add_css_class (self->fold, "flat");
      gtk_widget_insert_before (self->fold, gtk_widget_get_parent (self->edit), self->edit);
      gtk_widget_set_visible (self->code_scroll, FALSE);
      g_signal_connect_swapped (self->fold, "toggled", G_CALLBACK (fold_toggled), self);
    }
  gtk_box_append (GTK_BOX (self), self->code_scroll);
  gtk_box_append (GTK_BOX (self), self->output);
  if (exercise)
    {
      gtk_box_append (GTK_BOX (self), self->cases);
      add_hints (self, folder);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), TRUE);
      gtk_text_view_set_editable (GTK_TEXT_VIEW (self->code), TRUE);
      gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (self->code), TRUE);
    }
  gtk_widget_set_visible (self->revert, ls_play_is_edited (self->play, self->part));
  gtk_widget_set_visible (self->run, !self->of->skip);
  gtk_widget_set_visible (self->edit, !self->of->skip);
  g_signal_connect_swapped (self->run, "clicked", G_CALLBACK (run_or_stop), self);
  g_signal_connect_swapped (self->revert, "clicked", G_CALLBACK (revert), self);
  g_signal_connect_swapped (self->edit, "toggled", G_CALLBACK (edit_toggled), self);
  g_signal_connect_object (self->play, "part-changed", G_CALLBACK (part_changed), self, 0);
  update (self);
}

static void
ls_cell_view_class_init (LsCellViewClass *klass)
{
}

static void
ls_cell_view_init (LsCellView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-cell");
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
ls_cell_view_new (LsPlay     *play,
                  guint       part,
                  const char *folder)
{
  LsCellView *self = g_object_new (LS_TYPE_CELL_VIEW, NULL);

  self->play = play;
  self->part = part;
  self->of = ls_lesson_get_part (ls_play_get_lesson (play), part);
  build (self, folder);
  return GTK_WIDGET (self);
}

void
ls_cell_view_set_plain (LsCellView *self)
{
  self->plain = TRUE;
  update (self);
}

void
ls_cell_view_focus (LsCellView *self)
{
  gtk_widget_grab_focus (self->run);
}
