/* run/pair: two programs in step: what stands before a step and after it, or what the Compare page shows.  Both run in one worker, on the same
 * inputs and on one clock, the writes of the side that leads; the other one stands where it makes the same element.
 *
 * What goes on for long comes back "interrupted" every fifth of a second and is sent on with "more", until Pause was pressed: then both are known as far
 * as they were run.
 */
#include "app/run/pair.h"

#include "app/run/begun.h"
#include "app/run/pair-private.h"
#include "app/run/toy.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/run/grid.h"

#include <glib/gi18n.h>
#include <string.h>

static const LsRunMove moves[] = {
  { "start", "media-skip-backward-symbolic", N_("First statement (Home)"), GDK_KEY_Home, FALSE },
  { "write -", "media-seek-backward-symbolic", N_("The element made before (Shift+F4)"), GDK_KEY_F4, TRUE },
  { "back-over", "go-previous-symbolic", N_("Back over what is inside (Shift+F10)"), GDK_KEY_F10, TRUE },
  { "back", "go-up-symbolic", N_("A statement back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next statement, into what it holds (F11)"), GDK_KEY_F11, FALSE },
  { "over", "go-next-symbolic", N_("Over what it holds (F10)"), GDK_KEY_F10, FALSE },
  { "write +", "document-edit-symbolic", N_("The next element that is made (F4)"), GDK_KEY_F4, FALSE },
  { "end", "media-skip-forward-symbolic", N_("To the end of the run (End)"), GDK_KEY_End, FALSE },
};

/* ---- what is shown ---------------------------------------------------------------------------- */

static void
show_buttons (LsPairRun *self)
{
  ls_run_frame_set_can (&self->frame, self->look != NULL, self->asking != NULL);
  gtk_widget_set_sensitive (self->part, self->has_ids && self->parting == NULL);
  gtk_widget_set_sensitive (self->pause, self->asking != NULL);
  gtk_widget_set_sensitive (self->give_up, self->asking != NULL || self->parting != NULL);
}

static const char *
differ_words (GVariant *look)
{
  const char *differ = ls_params_string (look, "differ", "");

  if (strcmp (differ, "none") == 0)
    return _("the same");
  if (strcmp (differ, "rounding") == 0)
    return _("which differ by rounding");
  if (strcmp (differ, "real") == 0)
    return _("which differ");
  return _("half-way through sums in another order");
}

/* Why a side is not known to its end. (transfer full), or NULL: both are */
static char *
ends_words (GVariant *look)
{
  const char *left = ls_params_string (look, "ends-left", NULL), *right = ls_params_string (look, "ends-right", NULL);

  if (left != NULL && right != NULL)
    return g_strdup_printf (_("Left: %s Right: %s"), left, right);
  if (left != NULL)
    return g_strdup_printf (_("Left: %s"), left);
  return right != NULL ? g_strdup_printf (_("Right: %s"), right) : NULL;
}

static void
say_position (LsPairRun *self)
{
  const char *element = ls_params_string (self->look, "element", NULL), *left = ls_params_string (self->look, "value-left", NULL);
  const char *right = ls_params_string (self->look, "value-right", NULL);
  gint64 write = ls_params_int (self->look, "write", 0), n[2] = { ls_params_int (self->look, "writes-left", 0), ls_params_int (self->look, "writes-right", 0) };
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *ends = NULL;

  if (element == NULL)
    {
      ends = ends_words (self->look);
      ls_run_frame_say (&self->frame, ends == NULL ? _("Both have made all that they make.") : _("Both stand at the end of what is known of them."), ends);
      return;
    }
  if (left != NULL && right != NULL)
    {
      double ulp = ls_params_double (self->look, "ulp", 0);

      /* Translators: an element of an array, its two values, how they differ: C[2, 3] ... 0.5 and 0.5, the same. */
      sentence = g_strdup_printf (_("Both make %s: %s and %s, %s."), element, left, right, differ_words (self->look));
      reason = ulp > 0 ? g_strdup_printf (_("Write %d of %d on the left and %d on the right; %.3g units in the last place."), (int) write, (int) n[0], (int) n[1], ulp)
                       : g_strdup_printf (_("Write %d of %d on the left and %d on the right."), (int) write, (int) n[0], (int) n[1]);
    }
  else if (ls_params_string (self->look, left != NULL ? "ends-right" : "ends-left", NULL) != NULL)
    sentence = g_strdup_printf (left != NULL ? _("The left program makes %s, the right one does not come to it.") : _("The right program makes %s, the left one does not come to it."), element);
  else
    sentence = g_strdup_printf (left != NULL ? _("Only the left program makes %s.") : _("Only the right program makes %s."), element);
  if ((ends = ends_words (self->look)) != NULL)
    {
      g_autofree char *before = reason;

      reason = before != NULL ? g_strdup_printf ("%s %s", before, ends) : g_strdup (ends);
    }
  ls_run_frame_say (&self->frame, sentence, reason);
}

static void
show_kept (LsPairRun *self)
{
  g_autoptr (GVariant) left = ls_params_value (self->look, "left");
  g_autoptr (GVariant) right = ls_params_value (self->look, "right");
  g_autofree char *kept = left != NULL && right != NULL ? ls_run_kept_words (left, right) : g_strdup ("");

  gtk_label_set_label (GTK_LABEL (self->kept), kept);
}

static void
show_look (LsPairRun *self)
{
  gint64 of = ls_params_int (self->look, "of", 0);

  if (ls_params_string (self->look, "left-text", NULL) != NULL)
    ls_run_toy_title (self->window, _("Two programs in step"), self->look);
  for (guint i = 0; i < 2; i++)
    ls_pair_side_show (&self->sides[i], self->look);
  show_kept (self);
  say_position (self);
  self->placing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->clock), 0, (double) MAX (of, 1));
  gtk_range_set_value (GTK_RANGE (self->clock), (double) ls_params_int (self->look, "at", 0));
  self->placing = FALSE;
}

/* ---- asking --------------------------------------------------------------------------------------- */

static void call (LsPairRun *self, const char *command);

/* How far they are; and on they go, or that was enough. */
static void
goes_on (LsPairRun *self,
         GVariant  *answer)
{
  g_autofree char *left = ls_format_count (ls_params_int (answer, "clock-left", 0));
  g_autofree char *right = ls_format_count (ls_params_int (answer, "clock-right", 0));
  g_autofree char *reason = g_strdup_printf (_("Statement %s on the left, %s on the right; Pause keeps what was run until then."), left, right);

  ls_run_frame_say (&self->frame, _("Both are run once to their ends."), reason);
  call (self, self->wants_pause ? "enough" : "more");
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsPairRun *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *asked = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      ls_run_frame_forget (&self->frame);
      ls_run_frame_say (&self->frame, error->message, NULL);
    }
  else if ((asked = ls_run_sizes_asked (self->sizes, answer)) != NULL)
    ls_run_frame_say (&self->frame, asked, NULL);
  else if (self->look == NULL && ls_params_bool (answer, "interrupted", FALSE))
    {
      goes_on (self, answer);
      return;
    }
  else if (g_variant_lookup (answer, "of", "u", NULL))
    {
      g_clear_pointer (&self->look, g_variant_unref);
      self->look = g_variant_ref (answer);
      show_look (self);
      if (ls_params_bool (answer, "interrupted", FALSE) && !self->wants_pause)
        {
          call (self, "more");
          return;
        }
    }
  show_buttons (self);
  for (guint i = 0; i < 2 && self->look != NULL && self->after_open == NULL && self->wanted < 0; i++)
    ls_pair_side_follow_cursor (&self->sides[i]);
  if (answer != NULL && asked == NULL && self->after_open != NULL)
    {
      g_autofree char *command = g_steal_pointer (&self->after_open);

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->right_leads), self->lead_after == 1);
      self->send (self, command);
    }
  else if (self->wanted >= 0)
    {
      g_autofree char *command = g_strdup_printf ("goto-write %" G_GINT64_FORMAT, self->wanted);

      self->wanted = -1;
      self->send (self, command);
    }
  else if (self->wants_part && self->look != NULL)
    {
      self->wants_part = FALSE;
      call (self, "where");
    }
  if (self->asking == NULL)
    ls_run_frame_go_on (&self->frame);
}

static void
call (LsPairRun  *self,
      const char *command)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  g_variant_dict_insert (&params, "leads", "x", (gint64) gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->right_leads)));
  for (guint i = 0; i < 2; i++)
    ls_pair_side_put (&self->sides[i], &params);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-pair", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

static void
forget_parts (LsPairRun *self)
{
  for (guint i = 0; i < 2; i++)
    ls_pair_side_forget (&self->sides[i]);
}

static void
look_again (LsPairRun *self)
{
  self->wants_part = self->asking != NULL;
  if (!self->wants_part)
    call (self, "where");
}

static void
send (LsPairRun  *self,
      const char *command)
{
  if (self->asking != NULL || self->look == NULL)
    return;
  self->wants_pause = FALSE;
  forget_parts (self);
  call (self, command);
}

static void
pause_run (LsPairRun *self)
{
  self->wants_pause = self->asking != NULL;
  ls_run_frame_forget (&self->frame);
}

static void
go (gpointer    run,
    const char *command)
{
  LsPairRun *self = run;
  g_autofree char *words = NULL;
  gint64 at = self->look != NULL ? ls_params_int (self->look, "at", 0) : 0;

  if (strcmp (command, "write +") == 0)
    words = g_strdup_printf ("goto-write %" G_GINT64_FORMAT, at + 1);
  else if (strcmp (command, "write -") == 0)
    words = g_strdup_printf ("goto-write %" G_GINT64_FORMAT, MAX (at - 1, 0));
  send (self, words != NULL ? words : command);
}

static void
clock_moved (LsPairRun *self)
{
  g_autofree char *command = g_strdup_printf ("goto-write %" G_GINT64_FORMAT, (gint64) gtk_range_get_value (GTK_RANGE (self->clock)));

  if (self->placing)
    return;
  if (self->asking != NULL)
    self->wanted = (gint64) gtk_range_get_value (GTK_RANGE (self->clock));
  else
    send (self, command);
}

static void
lead_changed (LsPairRun *self)
{
  send (self, "where");
}

static void
leave (LsPairRun *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  ls_run_frame_forget (&self->frame);
  forget_parts (self);
  g_clear_pointer (&self->look, g_variant_unref);
  self->wanted = -1;
  self->wants_pause = FALSE;
}

/* What is shown, and what was there before its step. */
static void
take_shown (LsPairRun *self)
{
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (self->session));
  guint id = history != NULL ? ls_engine_session_get_node (LS_ENGINE_SESSION (self->session)) : LS_HISTORY_NONE;

  self->compared = FALSE;
  self->has_ids = id != LS_HISTORY_NONE && ls_history_get (history, id)->parent != id;
  if (!self->has_ids)
    return;
  while (ls_history_get (history, id)->number > 1 && !ls_history_has_effect (history, id))
    id = ls_history_get (history, id)->parent;
  self->ids[0] = ls_history_get (history, id)->parent;
  self->ids[1] = id;
}

/* Steps of one program can be done again on a smaller one; for two programs nobody knows which extents belong together. */
static gboolean
same_history (LsPairRun *self)
{
  guint left, right;

  return self->has_ids && ls_pair_history (self, 0, &left) == ls_pair_history (self, 1, &right);
}

static void
begin (LsPairRun *self)
{
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  ls_run_toy_title (self->window, _("Two programs in step"), NULL);
  gtk_widget_set_sensitive (self->toy, same_history (self));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *title = self->has_ids ? ls_pair_title (self, i) : g_strdup ("");
      guint id;
      LsHistory *history = self->has_ids ? ls_pair_history (self, i, &id) : NULL;

      ls_pair_side_clear (&self->sides[i], title);
      *(i == 0 ? &left : &right) = history != NULL ? ls_history_print (history, id, TRUE, NULL) : NULL;
    }
  if (left == NULL || right == NULL)
    {
      ls_run_frame_say (&self->frame, _("There is no step before this one: go to a step, or compare two."), NULL);
      show_buttons (self);
      return;
    }
  ls_run_frame_say (&self->frame, _("Both are run once to their ends."), NULL);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", left);
  g_variant_dict_insert (&params, "right", "s", right);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->toy)) && same_history (self))
    ls_run_toy_put (&params, ls_engine_session_get_history (LS_ENGINE_SESSION (self->session)), self->ids, 2);
  ls_run_begun_put (&params, self->sizes);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-pair", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

static void
open_steps (LsPairRun *self,
            guint      left,
            guint      right,
            guint      leads,
            char      *command)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->toy), FALSE);        /* where they part is told of the whole programs */
  g_free (self->after_open);
  self->after_open = command;
  self->lead_after = leads;
  self->ids[0] = left;
  self->ids[1] = right;
  self->has_ids = TRUE;
  begin (self);
}

static void
again (LsPairRun *self)
{
  if (!self->compared)
    take_shown (self);
  ls_pair_part_forget (self);
  g_clear_pointer (&self->after_open, g_free);
  begin (self);
}

/* ---- the window -------------------------------------------------------------------------------------- */

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             LsPairRun          *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean has_ends = focus != NULL && (GTK_IS_TEXT_VIEW (focus) || GTK_IS_RANGE (focus) || LS_IS_RUN_GRID (focus));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_F9 || key == GDK_KEY_Pause)
    {
      pause_run (self);
      return TRUE;
    }
  return ls_run_frame_press (&self->frame, key, state, has_ends);
}

/* A program that hangs goes with its process. */
static void
give_up (LsPairRun *self)
{
  gboolean ran = self->asking != NULL;

  if (!ran && self->parting == NULL)
    return;
  ls_pair_part_forget (self);
  if (ran)
    {
      leave (self);
      ls_worker_stop (self->worker);
      ls_run_frame_say (&self->frame, _("The run was ended."), NULL);
    }
  show_buttons (self);
}

static GtkWidget *
bar (LsPairRun *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *fresh = ls_part_word_button ("view-refresh-symbolic", _("Begin again"));

  ls_run_frame_put_moves (&self->frame, row);
  self->right_leads = gtk_toggle_button_new_with_label (_("Right leads"));
  gtk_widget_set_tooltip_text (self->right_leads, _("Steps are those of the right program; the left one follows"));
  g_signal_connect_swapped (self->right_leads, "toggled", G_CALLBACK (lead_changed), self);
  g_signal_connect_swapped (fresh, "clicked", G_CALLBACK (again), self);
  self->pause = ls_part_icon_button ("media-playback-pause-symbolic", _("Pause (F9)"));
  g_signal_connect_swapped (self->pause, "clicked", G_CALLBACK (pause_run), self);
  gtk_box_append (GTK_BOX (row), self->right_leads);
  gtk_box_append (GTK_BOX (row), self->pause);
  gtk_box_append (GTK_BOX (row), fresh);
  self->toy = gtk_toggle_button_new_with_label (_("Toy size"));
  gtk_widget_set_tooltip_text (self->toy, _("Extents shrunk to about 8, with the structure kept"));
  g_signal_connect_swapped (self->toy, "toggled", G_CALLBACK (begin), self);
  self->give_up = ls_part_icon_button ("process-stop-symbolic", _("End the run"));
  g_signal_connect_swapped (self->give_up, "clicked", G_CALLBACK (give_up), self);
  self->sizes = ls_run_sizes_new (G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->toy);
  gtk_box_append (GTK_BOX (row), self->sizes);
  gtk_box_append (GTK_BOX (row), self->give_up);
  self->kept = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->kept), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->kept, TRUE);
  gtk_widget_set_halign (self->kept, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (self->kept, _("Checkpoints far from where the run stands go first; the first one and one more stay, whatever they take"));
  gtk_box_append (GTK_BOX (row), self->kept);
  return ls_part_wrapped (row);
}

static void
build (LsPairRun *self,
       GtkWindow *parent)
{
  GtkWidget *foot = ls_part_label (_("Both run on the same inputs. The clock counts what the leading program writes; the other one stands where it makes the same element. "
                                     "A frame is what is written, a dashed one what is read; hatched is not written yet. The pointer or the cursor on an expression shows its value."), "reason");
  GtkWidget *box;
  guint turned;

  ls_run_frame_init (&self->frame, moves, G_N_ELEMENTS (moves), go, self);
  turned = gtk_widget_get_direction (self->frame.head) == GTK_TEXT_DIR_RTL;
  self->clock = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->clock), FALSE);
  gtk_widget_add_css_class (self->clock, "access-clock");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->clock), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Elements made so far"), -1);
  g_signal_connect_swapped (self->clock, "value-changed", G_CALLBACK (clock_moved), self);
  gtk_box_append (GTK_BOX (self->frame.head), self->clock);
  /* Left is left, whatever one reads. */
  box = ls_run_frame_build (&self->frame, bar (self), ls_pair_side_new (&self->sides[turned], self, turned),
                            ls_pair_side_new (&self->sides[!turned], self, !turned), 560);
  gtk_box_append (GTK_BOX (box), ls_pair_part_new (self));
  self->window = ls_tool_window_new (parent, _("Two programs in step"), 1120, 740, box, foot);
  ls_run_frame_watch (self->window, G_CALLBACK (key_pressed), self);
}

static void
pair_free (gpointer data)
{
  LsPairRun *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  leave (self);
  ls_pair_part_end (self);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_free (self->names[0]);
  g_free (self->names[1]);
  g_free (self->after_open);
  g_free (self);
}

/* An output was found to be another one. */
static gboolean
is_known_to_differ (LsPairRun         *self,
                    const LsToolPlace *place)
{
  g_autoptr (LsResults) results = self->compared ? ls_session_get_results (self->session, self->ids[0], self->ids[1]) : NULL;
  LsStepItem *current = ls_session_get_current (self->session);
  const LsStepRecord *step = current != NULL ? ls_step_item_get (current) : NULL;

  if (!self->has_ids || place->differ)
    return self->has_ids;
  return self->compared ? results != NULL && results->state == LS_RESULTS_DIFFERENT : step != NULL && step->state == LS_STEP_FAILED && !step->stops;
}

static void
show (const LsToolPlace *place)
{
  LsPairRun *self = ls_tool_window_find (place->parent, LS_PAIR_KEY);

  if (!LS_IS_ENGINE_SESSION (place->session))
    return;
  if (self != NULL && self->session != place->session)
    {
      gtk_window_destroy (GTK_WINDOW (self->window));           /* it is about two other programs: those of an earlier answer in a lesson */
      self = NULL;
    }
  if (self == NULL)
    {
      self = g_new0 (LsPairRun, 1);
      self->send = send;
      self->open = open_steps;
      self->look_again = look_again;
      self->show_buttons = show_buttons;
      self->wanted = -1;
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      build (self, place->parent);
      ls_tool_window_keep (self->window, LS_PAIR_KEY, self, pair_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (again), self);
    }
  self->compared = place->compared;
  for (guint i = 0; i < 2; i++)
    {
      g_free (self->names[i]);
      self->names[i] = g_strdup (place->names[i]);
    }
  if (place->compared)
    {
      self->ids[0] = place->left;
      self->ids[1] = place->right;
      self->has_ids = TRUE;
    }
  again (self);
  self->known = is_known_to_differ (self, place);
  if (self->known)
    ls_pair_part_ask (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_run_pair_tool = { .id = LS_PAIR_KEY, .label = N_("Run two programs in step"), .accel = "<Control><Shift>b", .follows = TRUE, .show = show };
