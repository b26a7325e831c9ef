/* LsQuestionView: a card with the question, its answers and one primary button.
 *
 * A question of the lesson knows its answers; one made from a trace gets them from the kernel, and can also be answered by a call.
 */
#include "app/learn/question-view.h"

#include "app/learn/prose.h"
#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsQuestionView {
  GtkBox              parent_instance;

  LsPlay             *play;
  guint               part;
  const LsLessonPart *of;
  GtkWidget          *choices;  /* box of check buttons */
  GPtrArray          *buttons;  /* borrowed */
  GtkWidget          *entry;    /* a call, or a free answer; or NULL */
  GtkWidget          *reveal;
  GtkWidget          *show;
  GtkWidget          *keys;
  GtkWidget          *verdict;
  GtkWidget          *answer;   /* what stands behind --- */
  gboolean            updating;
  GtkWidget          *again;    /* of a drill: the next question */
  guint               round;    /* of a drill: the one that the choices are of */
  gboolean            gave_up;  /* the answer was asked for, not given */
  int                 replied;  /* the wrong choice to which something was said, or -1: then one may choose again */
};

G_DEFINE_FINAL_TYPE (LsQuestionView, ls_question_view, GTK_TYPE_BOX)

static gboolean
is_made (LsQuestionView *self)
{
  return self->of->kind == LS_PART_PRIMITIVE;
}

/* ---- answers ---- */

static void
toggled (GtkCheckButton *button,
         LsQuestionView *self)
{
  guint i;

  if (self->updating || !gtk_check_button_get_active (button) || !g_ptr_array_find (self->buttons, button, &i))
    return;
  ls_play_choose (self->play, self->part, (int) i);
}

static void
add_choice (LsQuestionView *self,
            const char     *text)
{
  GtkWidget *button = gtk_check_button_new (), *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  ls_set_unhyphenated (GTK_LABEL (label));
  gtk_check_button_set_child (GTK_CHECK_BUTTON (button), label);
  ls_set_label (button, text);
  if (self->buttons->len > 0)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (button), self->buttons->pdata[0]);
  g_ptr_array_add (self->buttons, button);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled), self);
  gtk_box_append (GTK_BOX (self->choices), button);
}

static char *
chosen_name (LsQuestionView *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);
  const char *written = self->entry != NULL ? gtk_editable_get_text (GTK_EDITABLE (self->entry)) : "";
  g_auto (GStrv) names = part->answer != NULL ? ls_params_strv (part->answer, "choices") : NULL;

  if (*written != 0)
    return g_strdup (written);
  if (names != NULL && part->choice >= 0 && part->choice < (int) g_strv_length (names))
    return g_strdup (names[part->choice]);
  return NULL;
}

static void update (LsQuestionView *self);

/* What the lesson says to who chose this wrong answer, or NULL. */
static const char *
reply_of (LsQuestionView *self,
          int             choice)
{
  const LsLessonChoice *of = choice >= 0 && choice < (int) self->of->choices->len ? self->of->choices->pdata[choice] : NULL;

  return of != NULL && !of->right ? of->reply : NULL;
}

void
ls_question_view_reveal (LsQuestionView *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);
  g_autofree char *name = NULL;

  if (!is_made (self))
    {
      if (part->choice >= 0 && part->choice != self->replied && reply_of (self, part->choice) != NULL)
        {
          self->replied = part->choice;
          update (self);
        }
      else
        ls_play_reveal (self->play, self->part, TRUE);
      return;
    }
  if (part->answer == NULL || (part->state != LS_PLAY_DONE && part->state != LS_PLAY_STALE))
    {
      ls_play_run (self->play, self->part);
      return;
    }
  name = chosen_name (self);
  if (name != NULL)
    {
      self->gave_up = FALSE;
      ls_play_answer (self->play, self->part, name);
    }
}

static void
show_me (LsQuestionView *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);

  if (!is_made (self))
    ls_play_reveal (self->play, self->part, TRUE);
  else if (part->answer != NULL)
    {
      self->gave_up = TRUE;
      ls_play_answer (self->play, self->part, ls_params_string (part->answer, "primitive", ""));
    }
}

gboolean
ls_question_view_choose (LsQuestionView *self,
                         int             choice)
{
  if (choice < 0 || choice >= (int) self->buttons->len || ls_play_get (self->play, self->part)->revealed)
    return FALSE;
  gtk_check_button_set_active (self->buttons->pdata[choice], TRUE);
  gtk_widget_grab_focus (self->buttons->pdata[choice]);
  return TRUE;
}

/* ---- what it shows ---- */

static void
update_choices (LsQuestionView   *self,
                const LsPlayPart *part)
{
  self->updating = TRUE;
  for (guint i = 0; i < self->buttons->len; i++)
    {
      GtkWidget *button = self->buttons->pdata[i];
      gboolean right = !is_made (self) && ((LsLessonChoice *) self->of->choices->pdata[i])->right;

      gtk_check_button_set_active (GTK_CHECK_BUTTON (button), part->choice == (int) i);
      gtk_widget_set_sensitive (button, !part->revealed || part->choice == (int) i || right);
      gtk_widget_remove_css_class (button, "can");
      gtk_widget_remove_css_class (button, "cannot");
      if (part->revealed && !is_made (self))
        gtk_widget_add_css_class (button, right ? "can" : "cannot");
    }
  self->updating = FALSE;
}

/* Another question of a drill has other choices. */
static void
forget_choices (LsQuestionView *self)
{
  for (guint i = 0; i < self->buttons->len; i++)
    gtk_box_remove (GTK_BOX (self->choices), self->buttons->pdata[i]);
  g_ptr_array_set_size (self->buttons, 0);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  self->gave_up = FALSE;
}

static void
make_choices (LsQuestionView   *self,
              const LsPlayPart *part)
{
  g_auto (GStrv) names = part->answer != NULL ? ls_params_strv (part->answer, "choices") : NULL;

  if (part->round != self->round)
    forget_choices (self);
  self->round = part->round;
  if (self->buttons->len > 0)
    return;
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    add_choice (self, names[i]);
}

static char *
verdict_of_made (LsQuestionView   *self,
                 const LsPlayPart *part)
{
  const char *message;
  g_autofree char *line = NULL;

  if (part->sentence != NULL)
    return g_strdup (part->sentence);
  if (part->verdict == NULL)
    return NULL;
  message = ls_params_string (part->verdict, "message", "");
  line = g_strstrip (g_strdup (ls_params_string (part->verdict, "line", "")));
  if (ls_params_bool (part->verdict, "right", FALSE))
    return g_strdup_printf (self->gave_up ? _("✓ The step was: %s") : _("✓ Right: %s"), line);
  if (ls_params_bool (part->verdict, "applies", FALSE))
    return g_strdup_printf (_("✗ This call can be applied, but it gives another program. The step was: %s"), line);
  return *message != 0 ? g_strdup_printf (_("✗ %s The step was: %s"), message, line) : g_strdup_printf (_("✗ The step was: %s"), line);
}

static char *
verdict_of_question (LsQuestionView   *self,
                     const LsPlayPart *part)
{
  const LsLessonChoice *guess = part->choice >= 0 && part->choice < (int) self->of->choices->len ? self->of->choices->pdata[part->choice] : NULL;

  if (!part->revealed && self->replied >= 0 && self->replied == part->choice)
    return g_strdup_printf (_("✗ %s\nChoose again, or Reveal."), reply_of (self, part->choice));
  if (!part->revealed || self->of->choices->len == 0)
    return NULL;
  if (guess == NULL)
    {
      for (guint i = 0; i < self->of->choices->len; i++)
        if (((LsLessonChoice *) self->of->choices->pdata[i])->right)
          return g_strdup_printf (_("The answer: %s"), ((LsLessonChoice *) self->of->choices->pdata[i])->text);
    }
  else if (guess->right)
    return g_strdup_printf (_("✓ As you said: %s"), guess->text);
  for (guint i = 0; i < self->of->choices->len; i++)
    {
      const LsLessonChoice *choice = self->of->choices->pdata[i];

      if (choice->right)
        return g_strdup_printf (_("✗ You said: %s\n✓ It is: %s"), guess->text, choice->text);
    }
  return NULL;
}

/* The keys that choose and reveal. */
static void
fill_keys (LsQuestionView *self)
{
  guint n = MIN (self->buttons->len, 9);

  for (GtkWidget *key = gtk_widget_get_first_child (self->keys); key != NULL; key = gtk_widget_get_first_child (self->keys))
    gtk_box_remove (GTK_BOX (self->keys), key);
  for (guint i = 0; i <= n; i++)
    {
      g_autofree char *digit = g_strdup_printf ("%u", i + 1);
      GtkWidget *key = gtk_label_new (i < n ? digit : _("Enter"));

      gtk_widget_add_css_class (key, "keycap");
      gtk_widget_set_valign (key, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (self->keys), key);
    }
}

static void
update (LsQuestionView *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);
  gboolean made = is_made (self), ready = !made || (part->answer != NULL && (part->state == LS_PLAY_DONE || part->state == LS_PLAY_STALE));
  g_autofree char *verdict = NULL;

  if (made)
    make_choices (self, part);
  update_choices (self, part);
  verdict = made ? verdict_of_made (self, part) : verdict_of_question (self, part);
  gtk_label_set_label (GTK_LABEL (self->verdict), verdict != NULL ? verdict : "");
  gtk_widget_set_visible (self->verdict, verdict != NULL);
  gtk_widget_set_visible (self->answer, part->revealed);
  gtk_button_set_label (GTK_BUTTON (self->reveal), !ready ? _("Ask me") : made ? _("Check") : _("Reveal"));
  gtk_widget_set_visible (self->reveal, made && !self->of->drill ? !part->solved : !part->revealed);
  gtk_widget_set_visible (self->again, self->of->drill && part->revealed && part->state == LS_PLAY_DONE);
  gtk_widget_set_visible (self->show, ready && !part->revealed);
  fill_keys (self);
  gtk_widget_set_visible (self->keys, ready && !part->revealed && self->buttons->len > 0);
  gtk_widget_set_sensitive (self->reveal, part->state != LS_PLAY_RUNNING && part->state != LS_PLAY_QUEUED);
  if (self->entry != NULL && made)
    gtk_widget_set_visible (self->entry, ready);
}

static void
part_changed (LsPlay         *play,
              guint           part,
              LsQuestionView *self)
{
  if (part == self->part)
    update (self);
}

/* ---- making it ---- */

static GtkWidget *
make_head (LsQuestionView *self,
           const char     *place)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *icon = gtk_image_new_from_icon_name ("help-about-symbolic");
  GtkWidget *title = gtk_label_new (self->of->title != NULL ? self->of->title : is_made (self) ? _("Which primitive was this?") : _("Predict, then look"));
  GtkWidget *where = gtk_label_new (place);

  gtk_widget_add_css_class (title, "strong");
  gtk_widget_add_css_class (where, "caption");
  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), where);
  return box;
}

static void
ask_again (LsQuestionView *self)
{
  ls_play_again (self->play, self->part);
}

static GtkWidget *
make_foot (LsQuestionView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->reveal = gtk_button_new ();
  self->show = gtk_button_new_with_label (_("I don’t know, show me"));
  self->keys = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->again = gtk_button_new_with_label (_("Another one"));
  gtk_widget_add_css_class (self->reveal, "primary");
  gtk_widget_add_css_class (self->again, "primary");
  gtk_widget_add_css_class (self->show, "flat");
  gtk_widget_set_hexpand (self->keys, TRUE);
  gtk_widget_set_halign (self->keys, GTK_ALIGN_END);
  g_signal_connect_swapped (self->reveal, "clicked", G_CALLBACK (ls_question_view_reveal), self);
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (show_me), self);
  g_signal_connect_swapped (self->again, "clicked", G_CALLBACK (ask_again), self);
  gtk_box_append (GTK_BOX (box), self->reveal);
  gtk_box_append (GTK_BOX (box), self->again);
  gtk_box_append (GTK_BOX (box), self->show);
  gtk_box_append (GTK_BOX (box), self->keys);
  return box;
}

static void
build (LsQuestionView *self,
       const char     *folder,
       const char     *place)
{
  gboolean open = !is_made (self) && self->of->choices->len == 0;

  gtk_box_append (GTK_BOX (self), make_head (self, place));
  gtk_box_append (GTK_BOX (self), ls_prose_new (self->of->blocks, folder));
  self->choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (self), self->choices);
  for (guint i = 0; !is_made (self) && i < self->of->choices->len; i++)
    add_choice (self, ((LsLessonChoice *) self->of->choices->pdata[i])->text);
  if (open || is_made (self))
    {
      self->entry = gtk_entry_new ();
      gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), open ? _("What do you think?") : _("or write the call, with the names of the loops"));
      ls_set_label (self->entry, open ? _("Your answer") : _("The call"));
      g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (ls_question_view_reveal), self);
      gtk_box_append (GTK_BOX (self), self->entry);
    }
  self->verdict = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->verdict), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->verdict), 0.0f);
  gtk_label_set_max_width_chars (GTK_LABEL (self->verdict), 60);
  gtk_widget_add_css_class (self->verdict, "strong");
  self->answer = ls_prose_new (self->of->answer, folder);
  gtk_widget_add_css_class (self->answer, "lesson-answer");
  gtk_box_append (GTK_BOX (self), self->verdict);
  gtk_box_append (GTK_BOX (self), self->answer);
  gtk_box_append (GTK_BOX (self), make_foot (self));
  g_signal_connect_object (self->play, "part-changed", G_CALLBACK (part_changed), self, 0);
  update (self);
}

static void
ls_question_view_finalize (GObject *object)
{
  g_ptr_array_unref (LS_QUESTION_VIEW (object)->buttons);
  G_OBJECT_CLASS (ls_question_view_parent_class)->finalize (object);
}

static void
ls_question_view_class_init (LsQuestionViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_question_view_finalize;
}

static void
ls_question_view_init (LsQuestionView *self)
{
  self->buttons = g_ptr_array_new ();
  self->replied = -1;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 10);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-question");
}

GtkWidget *
ls_question_view_new (LsPlay     *play,
                      guint       part,
                      const char *folder,
                      const char *place)
{
  LsQuestionView *self = g_object_new (LS_TYPE_QUESTION_VIEW, NULL);

  self->play = play;
  self->part = part;
  self->of = ls_lesson_get_part (ls_play_get_lesson (play), part);
  build (self, folder, place);
  return GTK_WIDGET (self);
}

void
ls_question_view_focus (LsQuestionView *self)
{
  if (self->buttons->len > 0)
    gtk_widget_grab_focus (self->buttons->pdata[0]);
  else
    gtk_widget_grab_focus (self->reveal);
}
