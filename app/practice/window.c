/* practice/window: a question, its two programs, its answers; once it is answered, what happened to the loops in their colours. */
#include "app/practice/window.h"

#include "app/practice/question.h"
#include "app/tool/window.h"
#include "views/compare/canvas.h"
#include "views/compare/texts.h"
#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "practice"
#define OWN "ls-practice"
#define BESIDE 900              /* the width, for letters of the usual size, from which on two texts stand beside each other */

typedef struct {
  GtkWidget          *window;
  GtkWidget          *question, *place, *verdict, *why, *next;
  GtkWidget          *buttons[LS_PRACTICE_CHOICES];
  GtkWidget          *loops;    /* scroller of the ribbons */
  GtkWidget          *canvas, *texts;
  LsSession          *session;
  GRand              *random;
  LsPracticeQuestion *asked;    /* or NULL */
  LsComparison       *shown;
  GCancellable       *asking;   /* while programs are compared beside the main loop */
  guint               n_asked, n_right;
  gboolean            answered;
  gboolean            narrow;   /* the texts are in one column */
} Practice;

/* ---- what is shown ----------------------------------------------------------------------------- */

static const LsStepRecord *
record_of (Practice *self,
           guint     id)
{
  GListModel *rows = ls_session_get_history (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);

      if (ls_step_item_get (item)->id == id)
        return ls_step_item_get (item);
    }
  return NULL;
}

/* In one column where that is all there is, or where both are one program. */
static void
fit_texts (Practice *self,
           gboolean  anew)
{
  int width = gtk_widget_get_width (self->window), height;
  gboolean narrow;

  if (width == 0)
    gtk_window_get_default_size (GTK_WINDOW (self->window), &width, &height);
  narrow = self->asked != NULL && (self->asked->left == self->asked->right || width < ls_theme_grow (BESIDE));
  if (!anew && narrow == self->narrow)
    return;
  self->narrow = narrow;
  ls_compare_texts_set_narrow (LS_COMPARE_TEXTS (self->texts), narrow);
}

static void
fit_later (gpointer window)
{
  fit_texts (g_object_get_data (window, OWN), FALSE);
}

/* Not while it is laid out. */
static void
laid_out (GtkWidget *window)
{
  ls_later (window, G_PRIORITY_HIGH_IDLE, 0, fit_later);
}

static void
realized (GtkWidget *window)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (window)), "layout", G_CALLBACK (laid_out), window, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
take (Practice     *self,
      LsComparison *comparison)         /* (transfer full), or NULL */
{
  if (comparison == NULL)
    return;
  ls_compare_texts_forget_place (LS_COMPARE_TEXTS (self->texts));
  fit_texts (self, TRUE);
  ls_compare_texts_set (LS_COMPARE_TEXTS (self->texts), comparison);
  ls_compare_canvas_set (LS_COMPARE_CANVAS (self->canvas), comparison);
  g_clear_pointer (&self->shown, ls_comparison_unref);
  self->shown = comparison;
}

static void
compared (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  LsComparison *comparison = ls_session_compare_finish (LS_SESSION (session), result);
  g_autoptr (GtkWidget) window = data;          /* with it goes what is known of it */
  Practice *self = comparison != NULL ? g_object_get_data (G_OBJECT (window), OWN) : NULL;

  if (self != NULL && self->asked != NULL)
    take (self, comparison);
  else
    g_clear_pointer (&comparison, ls_comparison_unref);
}

static void
show_programs (Practice *self)
{
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  self->asking = g_cancellable_new ();
  if (ls_session_compare_later (self->session, self->asked->left, self->asked->right, self->asking, compared, g_object_ref (self->window)))
    return;
  g_object_unref (self->window);        /* nothing was begun */
  take (self, ls_session_compare_steps (self->session, self->asked->left, self->asked->right));
}

/* ---- answers ----------------------------------------------------------------------------------- */

/* "3.4 ms against 12 ms". (transfer full) */
static char *
times_of (Practice *self)
{
  const LsStepRecord *left = record_of (self, self->asked->left), *right = record_of (self, self->asked->right);
  g_autofree char *a = left != NULL ? ls_format_time (left->timing.median) : NULL, *b = right != NULL ? ls_format_time (right->timing.median) : NULL;

  return g_strdup_printf (_("%s on the left, %s on the right."), a != NULL ? a : "?", b != NULL ? b : "?");
}

static char *
why_of (Practice *self)
{
  const LsStepRecord *subject;
  g_autofree char *times = NULL;

  if (self->asked->kind != LS_PRACTICE_FASTER)
    {
      subject = record_of (self, self->asked->subject);
      return g_strdup (subject != NULL ? subject->call : "");
    }
  times = times_of (self);
  return g_strjoin (" ", times, self->shown != NULL ? self->shown->why : NULL, NULL);
}

static void
tell_place (Practice *self)
{
  g_autofree char *text = self->n_asked > 0 ? g_strdup_printf (_("%u of %u right"), self->n_right, self->n_asked) : g_strdup ("");

  gtk_label_set_label (GTK_LABEL (self->place), text);
}

/* A line that is there only while it says something. */
static void
say (GtkWidget  *label,
     const char *text)
{
  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL && *text != 0);
}

static void
answer (Practice *self,
        guint     choice)
{
  gboolean right;
  g_autofree char *why = NULL, *verdict = NULL;

  if (self->asked == NULL || self->answered || choice >= self->asked->n_choices)
    return;
  right = choice == self->asked->answer;
  self->answered = TRUE;
  self->n_asked++;
  self->n_right += right;
  for (guint i = 0; i < self->asked->n_choices; i++)
    {
      const char *mark = i == self->asked->answer ? "✓ " : i == choice ? "✗ " : "";
      g_autofree char *label = g_strconcat (mark, self->asked->choices[i], NULL);

      gtk_button_set_label (GTK_BUTTON (self->buttons[i]), label);
      gtk_widget_set_sensitive (self->buttons[i], *mark != 0);
      if (*mark != 0)
        gtk_widget_add_css_class (self->buttons[i], i == self->asked->answer ? "can" : "cannot");
    }
  why = why_of (self);
  verdict = right ? g_strdup (_("✓ Right.")) : g_strdup_printf (_("✗ It is: %s"), self->asked->choices[self->asked->answer]);
  say (self->verdict, verdict);
  say (self->why, why);
  gtk_widget_set_visible (self->loops, self->asked->kind != LS_PRACTICE_NEXT);
  gtk_widget_set_visible (self->next, TRUE);
  gtk_widget_grab_focus (self->next);
  if (self->asked->kind == LS_PRACTICE_NEXT)
    {
      /* Now the step that came. */
      self->asked->left = record_of (self, self->asked->subject) != NULL ? record_of (self, self->asked->subject)->parent : self->asked->left;
      self->asked->right = self->asked->subject;
      show_programs (self);
      gtk_widget_set_visible (self->loops, TRUE);
    }
  tell_place (self);
}

static void
clicked (GtkWidget *button,
         Practice  *self)
{
  for (guint i = 0; i < LS_PRACTICE_CHOICES; i++)
    if (self->buttons[i] == button)
      answer (self, i);
}

/* ---- the next question ------------------------------------------------------------------------- */

static void
fill_choices (Practice *self)
{
  guint n = self->asked != NULL ? self->asked->n_choices : 0;

  for (guint i = 0; i < LS_PRACTICE_CHOICES; i++)
    {
      gtk_widget_set_visible (self->buttons[i], i < n);
      gtk_widget_set_sensitive (self->buttons[i], TRUE);
      gtk_widget_remove_css_class (self->buttons[i], "can");
      gtk_widget_remove_css_class (self->buttons[i], "cannot");
      if (i < n)
        gtk_button_set_label (GTK_BUTTON (self->buttons[i]), self->asked->choices[i]);
    }
}

static void
ask (Practice *self)
{
  LsPracticeQuestion *next = ls_practice_ask (ls_session_get_history (self->session), self->random, self->asked);

  g_clear_pointer (&self->asked, ls_practice_free);
  self->asked = next;
  self->answered = FALSE;
  fill_choices (self);
  gtk_label_set_label (GTK_LABEL (self->question), next == NULL ? _("There is no step yet: apply one, then it is asked about.")
                       : next->kind == LS_PRACTICE_WHICH ? _("Which primitive made this change?")
                       : next->kind == LS_PRACTICE_NEXT ? _("Which primitive comes next?") : _("Which of the two is faster here?"));
  say (self->verdict, NULL);
  say (self->why, NULL);
  gtk_widget_set_visible (self->loops, FALSE);
  gtk_widget_set_visible (self->next, next == NULL);
  gtk_widget_set_visible (self->texts, next != NULL);
  if (next != NULL)
    {
      show_programs (self);
      gtk_widget_grab_focus (self->buttons[0]);
    }
  tell_place (self);
}

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint                  value,
             guint                  code,
             GdkModifierType        state,
             Practice              *self)
{
  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0 || value < GDK_KEY_1 || value >= GDK_KEY_1 + LS_PRACTICE_CHOICES)
    return FALSE;
  answer (self, value - GDK_KEY_1);
  return TRUE;
}

/* ---- making it --------------------------------------------------------------------------------- */

static GtkWidget *
make_head (Practice *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->question = ls_part_label (NULL, "strong");
  self->place = ls_part_label_at (NULL, "caption", 1.0f);
  gtk_label_set_wrap (GTK_LABEL (self->question), TRUE);
  gtk_widget_set_hexpand (self->question, TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->question);
  gtk_box_append (GTK_BOX (head), self->place);
  return head;
}

static GtkWidget *
make_answers (Practice *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Answers"), -1);
  for (guint i = 0; i < LS_PRACTICE_CHOICES; i++)
    {
      self->buttons[i] = gtk_button_new_with_label ("");
      g_signal_connect (self->buttons[i], "clicked", G_CALLBACK (clicked), self);
      gtk_box_append (GTK_BOX (row), self->buttons[i]);
    }
  self->verdict = ls_part_label (NULL, "strong");
  self->why = ls_part_label (NULL, "code");
  self->next = gtk_button_new_with_label (_("Another one"));
  gtk_label_set_wrap (GTK_LABEL (self->why), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->why), TRUE);
  gtk_widget_set_halign (self->next, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->next, "primary");
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (ask), self);
  gtk_widget_add_css_class (box, "compare-head");
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->verdict);
  gtk_box_append (GTK_BOX (box), self->why);
  gtk_box_append (GTK_BOX (box), self->next);
  return box;
}

/* What is compared for a window that goes is not wanted any more. */
static void
leave_off (Practice *self)
{
  g_cancellable_cancel (self->asking);
}

static void
build (Practice  *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("1 to 4 answer. Questions are made from the steps of this history, and from times once they are measured."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->texts = ls_compare_texts_new ();
  self->canvas = ls_compare_canvas_new ();
  self->loops = ls_scroller_new_wide (self->canvas);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->loops), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (self->loops, -1, 220);
  gtk_widget_set_vexpand (self->texts, TRUE);
  ls_compare_texts_set_session (LS_COMPARE_TEXTS (self->texts), self->session);
  gtk_box_append (GTK_BOX (box), make_head (self));
  gtk_box_append (GTK_BOX (box), make_answers (self));
  gtk_box_append (GTK_BOX (box), self->loops);
  gtk_box_append (GTK_BOX (box), self->texts);
  self->window = ls_tool_window_new (parent, _("Practice"), 980, 760, box, foot);
  g_object_set_data (G_OBJECT (self->window), OWN, self);
  g_signal_connect_swapped (self->window, "destroy", G_CALLBACK (leave_off), self);
  g_signal_connect (self->window, "realize", G_CALLBACK (realized), NULL);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (box, keys);
}

static void
practice_free (gpointer data)
{
  Practice *self = data;

  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->asked, ls_practice_free);
  g_clear_pointer (&self->shown, ls_comparison_unref);
  g_object_unref (self->session);
  g_rand_free (self->random);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  Practice *self = ls_tool_window_find (place->parent, KEY);

  if (self != NULL && self->session != place->session)
    {
      gtk_window_destroy (GTK_WINDOW (self->window));           /* it asks about another history: that of an earlier result of a lesson */
      self = NULL;
    }
  if (self == NULL)
    {
      self = g_new0 (Practice, 1);
      self->session = g_object_ref (place->session);
      self->random = g_rand_new ();
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, practice_free);
      ask (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_practice_tool = { .id = KEY, .label = N_("Practice"), .accel = "<Control><Shift>k", .show = show };
