/* lowering/window: the worker lowers, a thread compares the texts of all passes, another one makes those that are shown. */
#include "app/lowering/window.h"

#include "app/lowering/list.h"
#include "app/session/code-rows.h"
#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "app/session/run.h"
#include "app/tool/window.h"
#include "views/compare/texts.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"

#include <glib/gi18n.h>

#define TIMEOUT_MS 60000
#define SLOW_MS 300             /* from here on it is said that it takes time */
#define KEY "lowering"
#define WIDEST 1280
#define HIGHEST 800
#define TWO_COLUMNS 1180        /* from this width on the texts stand side by side */

typedef struct {
  GtkWidget    *window;         /* owns this */
  GtkWidget    *sentence;
  GtkWidget    *llvm;           /* toggle */
  GtkWidget    *cancel;
  GtkWidget    *stack;          /* "passes", "status" */
  GtkWidget    *status;
  GtkWidget    *list;
  GtkWidget    *title;
  GtkWidget    *words;
  GtkWidget    *summary;
  GtkWidget    *notice;
  GtkWidget    *notice_words;
  GtkWidget    *texts;
  LsSession    *session;
  LsWorker     *worker;
  LsScriptText *text;           /* that was sent, or NULL */
  char         *function;       /* that was asked for */
  char         *running;        /* the pass that the worker is at, or NULL */
  GCancellable *asking;         /* of the call under way, or NULL */
  GCancellable *showing;        /* of the texts under way, or NULL */
  guint         slow;           /* source, or 0 */
  LsLowering   *lowering;       /* or NULL */
  LsComparison *comparison;     /* that the texts show, or NULL */
  gboolean      narrow;
} Window;

/* ---- the chosen pass ------------------------------------------------------------- */

typedef struct {
  LsLowering *lowering;
  guint       pass;
} Wish;

static void
wish_free (gpointer data)
{
  ls_lowering_unref (((Wish *) data)->lowering);
  g_free (data);
}

static void
comparison_free (gpointer data)
{
  ls_comparison_free (data);
}

/* In another thread. */
static void
make_texts (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Wish *wish = data;

  g_task_return_pointer (task, ls_lowering_compare (wish->lowering, wish->pass), comparison_free);
}

static void
put_texts (Window       *self,
           LsComparison *comparison)
{
  ls_compare_texts_set (LS_COMPARE_TEXTS (self->texts), comparison);
  g_clear_pointer (&self->comparison, ls_comparison_free);
  self->comparison = comparison;
}

/* Where there is nothing after the pass, one text says all. */
static void
share_room (Window *self)
{
  int i = self->lowering != NULL ? ls_lowering_list_get_chosen (LS_LOWERING_LIST (self->list)) : -1;
  LsLoweringState state = i >= 0 ? ls_lowering_get_pass (self->lowering, (guint) i)->state : LS_LOWERING_CHANGES;

  ls_compare_texts_set_narrow (LS_COMPARE_TEXTS (self->texts), self->narrow || state == LS_LOWERING_FAILS || state == LS_LOWERING_UNREACHED);
}

static void
texts_made (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  Window *self = data;
  LsComparison *comparison = g_task_propagate_pointer (G_TASK (result), NULL);

  if (comparison == NULL)
    return;             /* cancelled: the window may be gone */
  g_clear_object (&self->showing);
  put_texts (self, comparison);
  share_room (self);
}

static void
stop_texts (Window *self)
{
  if (self->showing != NULL)
    g_cancellable_cancel (self->showing);
  g_clear_object (&self->showing);
}

static void
ask_texts (Window *self,
           guint   pass)
{
  Wish *wish = g_new0 (Wish, 1);
  g_autoptr (GTask) task = NULL;

  self->showing = g_cancellable_new ();
  task = g_task_new (NULL, self->showing, texts_made, self);
  *wish = (Wish) { ls_lowering_ref (self->lowering), pass };
  g_task_set_task_data (task, wish, wish_free);
  g_task_run_in_thread (task, make_texts);
}

/* The pass that failed, or NULL. */
static const LsLoweringPass *
failed_pass (Window *self)
{
  for (guint i = 0; i < ls_lowering_n_passes (self->lowering); i++)
    if (ls_lowering_get_pass (self->lowering, i)->state == LS_LOWERING_FAILS)
      return ls_lowering_get_pass (self->lowering, i);
  return NULL;
}

static void
show_notice (Window               *self,
             const LsLoweringPass *pass)
{
  const LsLoweringPass *failed = failed_pass (self);
  g_autofree char *words = NULL;

  if (pass->state == LS_LOWERING_FAILS)
    words = g_strdup (pass->trouble);
  else if (pass->state == LS_LOWERING_UNREACHED && failed != NULL)
    words = g_strdup_printf (_("This pass is not reached: %s cannot go on."), failed->name);
  gtk_label_set_label (GTK_LABEL (self->notice_words), words != NULL ? words : "");
  gtk_widget_set_visible (self->notice, words != NULL);
}

static void
chosen (Window *self)
{
  int i = ls_lowering_list_get_chosen (LS_LOWERING_LIST (self->list));
  const LsLoweringPass *pass;
  g_autofree char *title = NULL, *words = NULL;

  stop_texts (self);
  if (i < 0 || self->lowering == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->title), "");
      gtk_label_set_label (GTK_LABEL (self->words), "");
      gtk_label_set_label (GTK_LABEL (self->summary), "");
      gtk_widget_set_visible (self->notice, FALSE);
      put_texts (self, NULL);
      return;
    }
  pass = ls_lowering_get_pass (self->lowering, (guint) i);
  title = g_strdup_printf ("%u  %s", pass->number, pass->name);
  words = ls_lowering_pass_words (pass);
  gtk_label_set_label (GTK_LABEL (self->title), title);
  gtk_label_set_label (GTK_LABEL (self->words), words);
  gtk_label_set_label (GTK_LABEL (self->summary), ls_lowering_pass_summary (pass));
  show_notice (self, pass);
  ask_texts (self, (guint) i);
}

static gboolean
shows_llvm (Window *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->llvm));
}

/* ---- the passes ------------------------------------------------------------------ */

static void
be_done (Window *self)
{
  g_clear_handle_id (&self->slow, g_source_remove);
  g_clear_object (&self->asking);
  gtk_widget_set_visible (self->cancel, FALSE);
}

/* There is nothing to show but a sentence. */
static void
say_instead (Window     *self,
             const char *words)
{
  g_clear_pointer (&self->lowering, ls_lowering_unref);
  ls_lowering_list_set (LS_LOWERING_LIST (self->list), NULL);
  ls_status_set (LS_STATUS (self->status), words, NULL, NULL, NULL);
  ls_status_set_failed (LS_STATUS (self->status), TRUE);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "status");
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
}

static char *
count_words (LsLowering *lowering,
             const char *tag)
{
  const char *function = ls_lowering_get_function (lowering);
  guint n = ls_lowering_n_passes (lowering), changing = ls_lowering_count (lowering, LS_LOWERING_CHANGES);
  g_autofree char *time = ls_format_time (ls_lowering_get_seconds (lowering));

  if (ls_lowering_is_llvm (lowering))
    return g_strdup_printf (ngettext ("Step %s: %u of LLVM's %u passes changes %s; together they take %s.",
                                      "Step %s: %u of LLVM's %u passes change %s; together they take %s.", changing), tag, changing, n, function, time);
  return g_strdup_printf (ngettext ("Step %s: %u of %u passes changes %s; lowering takes %s.", "Step %s: %u of %u passes change %s; lowering takes %s.", changing),
                          tag, changing, n, function, time);
}

static void
say_passes (Window *self)
{
  LsStepItem *current = ls_session_get_current (self->session);
  g_autofree char *tag = current != NULL ? ls_step_item_tag (current) : g_strdup ("");
  const LsLoweringPass *failed = failed_pass (self);
  g_autofree char *words = NULL;

  words = failed == NULL ? count_words (self->lowering, tag)
                         : g_strdup_printf (_("Step %s: %s cannot lower %s; the passes behind it are not reached."), tag, failed->name,
                                            ls_lowering_get_function (self->lowering));
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
}

static void
lowering_free (gpointer data)
{
  ls_lowering_unref (data);
}

typedef struct {
  GVariant     *answer;
  LsScriptText *text;
  gboolean      llvm;
} Answer;

static void
answer_free (gpointer data)
{
  g_variant_unref (((Answer *) data)->answer);
  g_clear_object (&((Answer *) data)->text);
  g_free (data);
}

/* In another thread. */
static void
read_answer (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Answer *answer = data;

  g_task_return_pointer (task, ls_lowering_new (answer->answer, answer->llvm, answer->text), lowering_free);
}

static void
answer_read (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Window *self = data;
  LsLowering *lowering = g_task_propagate_pointer (G_TASK (result), NULL);
  gboolean first;

  if (lowering == NULL)
    return;             /* cancelled: the window may be gone */
  first = self->lowering == NULL;
  if (!first && ls_lowering_is_llvm (self->lowering) != ls_lowering_is_llvm (lowering))
    ls_lowering_list_set (LS_LOWERING_LIST (self->list), NULL);         /* other passes: none of them was chosen */
  be_done (self);
  g_clear_pointer (&self->lowering, ls_lowering_unref);
  self->lowering = lowering;
  ls_compare_texts_set_title (LS_COMPARE_TEXTS (self->texts), ls_lowering_is_llvm (lowering) ? "LLVM IR" : _("TVMScript"));
  say_passes (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "passes");
  ls_lowering_list_set (LS_LOWERING_LIST (self->list), lowering);
  if (first)
    ls_lowering_list_take_keyboard (LS_LOWERING_LIST (self->list));
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Window *self = data;
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *words = NULL, *all = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  if (answer != NULL)
    {
      Answer *given = g_new0 (Answer, 1);
      g_autoptr (GTask) task = g_task_new (NULL, self->asking, answer_read, self);

      *given = (Answer) { answer, g_object_ref (self->text), shows_llvm (self) };
      g_task_set_task_data (task, given, answer_free);
      g_task_run_in_thread (task, read_answer);
      return;
    }
  be_done (self);
  words = ls_run_end_words (error, NULL, TIMEOUT_MS);
  if (self->running != NULL && !g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST))
    all = g_strdup_printf (_("%s: %s"), self->running, words);
  say_instead (self, all != NULL ? all : words);
}

/* ---- asking ------------------------------------------------------------------------ */

static void
say_running (Window *self)
{
  g_autofree char *words = self->running != NULL ? g_strdup_printf (_("The program is being lowered: %s."), self->running)
                                                 : g_strdup (_("The program is being lowered."));

  gtk_label_set_label (GTK_LABEL (self->sentence), words);
}

static gboolean
is_slow (gpointer data)
{
  Window *self = data;

  self->slow = 0;
  say_running (self);
  gtk_widget_set_visible (self->cancel, TRUE);
  return G_SOURCE_REMOVE;
}

static void
progress (LsWorker   *worker,
          double      fraction,
          const char *pass,
          gpointer    data)
{
  Window *self = data;

  g_free (self->running);
  self->running = g_strdup (pass);
  if (self->slow == 0)
    say_running (self);
}

static void
stop (Window *self)
{
  g_clear_handle_id (&self->slow, g_source_remove);
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->running, g_free);
}

static void
cancel (Window *self)
{
  stop (self);
  be_done (self);
  say_instead (self, _("Lowering was ended."));
}

/* The function of the selection, else the first of the text. */
static char *
wanted_function (Window *self)
{
  guint first, last;

  if (ls_code_lines_of (self->text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (self->text, first);
  for (guint i = 0; i < ls_script_text_n_lines (self->text); i++)
    if (ls_script_text_line (self->text, i)->id != 0)
      return ls_code_function_at (self->text, i + 1);
  return NULL;
}

static void
ask (Window *self)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS, .progress = progress, .progress_data = self };
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  GVariantDict params;

  stop (self);
  g_set_object (&self->text, ls_session_get_script (self->session));
  g_clear_pointer (&self->function, g_free);
  self->function = self->text != NULL ? wanted_function (self) : NULL;
  if (module == NULL || self->function == NULL)
    {
      be_done (self);
      say_instead (self, module == NULL ? error->message : _("There is no loop here that could be lowered."));
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  g_variant_dict_insert (&params, "func", "s", self->function);
  if (LS_IS_ENGINE_SESSION (self->session))
    g_variant_dict_insert (&params, "target", "s", ls_engine_session_get_target (LS_ENGINE_SESSION (self->session)));
  self->asking = g_cancellable_new ();
  self->slow = g_timeout_add (SLOW_MS, is_slow, self);
  ls_worker_call_async (self->worker, shows_llvm (self) ? "optimise" : "lower", g_variant_dict_end (&params), &options, self->asking, answered, self);
}

static void
selection_changed (Window *self)
{
  g_autofree char *function = self->text != NULL ? wanted_function (self) : NULL;

  if (g_strcmp0 (function, self->function) != 0)
    ask (self);
}

/* ---- the window ---------------------------------------------------------------------- */

static void
window_free (gpointer data)
{
  Window *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  stop (self);
  stop_texts (self);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_clear_object (&self->text);
  g_clear_pointer (&self->lowering, ls_lowering_unref);
  g_clear_pointer (&self->comparison, ls_comparison_free);
  g_free (self->function);
  g_free (self);
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Window             *self)
{
  GdkModifierType held = state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK);

  if (key == GDK_KEY_i && held == GDK_CONTROL_MASK)
    ls_compare_texts_toggle_column (LS_COMPARE_TEXTS (self->texts));
  else if ((key == GDK_KEY_Left || key == GDK_KEY_Right) && held == GDK_ALT_MASK)
    ls_lowering_list_go (LS_LOWERING_LIST (self->list), key == GDK_KEY_Right ? 1 : -1);
  else if ((key == GDK_KEY_Up || key == GDK_KEY_Down) && held == GDK_ALT_MASK)
    ls_compare_texts_go_to_change (LS_COMPARE_TEXTS (self->texts), key == GDK_KEY_Down ? 1 : -1);
  else
    return FALSE;
  return TRUE;
}

static void
surface_laid_out (Window *self,
                  int     width)
{
  gboolean narrow = width < TWO_COLUMNS;

  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  share_room (self);
}

static void
realized (Window *self)
{
  g_signal_connect_data (gtk_native_get_surface (GTK_NATIVE (self->window)), "layout", G_CALLBACK (surface_laid_out), self, NULL, G_CONNECT_SWAPPED);
}

static GtkWidget *
head_row (Window *self)
{
  GtkWidget *row = ls_part_row ("compare-head");
  GtkWidget *tir = gtk_toggle_button_new_with_label ("TensorIR");

  self->sentence = ls_part_label (NULL, "strong");
  self->cancel = gtk_button_new_with_label (_("Cancel"));
  self->llvm = gtk_toggle_button_new_with_label ("LLVM");
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->llvm), GTK_TOGGLE_BUTTON (tir));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tir), TRUE);
  gtk_widget_set_valign (self->cancel, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (tir, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->llvm, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (tir, "flat");
  gtk_widget_add_css_class (self->llvm, "flat");
  g_signal_connect_swapped (self->llvm, "toggled", G_CALLBACK (ask), self);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  gtk_widget_set_visible (self->cancel, FALSE);
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancel), self);
  gtk_box_append (GTK_BOX (row), self->sentence);
  gtk_box_append (GTK_BOX (row), self->cancel);
  gtk_box_append (GTK_BOX (row), tir);
  gtk_box_append (GTK_BOX (row), self->llvm);
  return row;
}

static GtkWidget *
notice_new (Window *self)
{
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-error-symbolic");
  GtkWidget *holder = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);       /* a row with an image and a label that wraps gives two heights */

  self->notice = ls_part_row ("error-line");
  self->notice_words = ls_part_label (NULL, NULL);
  gtk_widget_add_css_class (icon, "error");
  gtk_label_set_wrap (GTK_LABEL (self->notice_words), TRUE);
  gtk_widget_set_hexpand (self->notice_words, TRUE);
  gtk_widget_set_visible (self->notice, FALSE);
  gtk_box_append (GTK_BOX (holder), icon);
  gtk_box_append (GTK_BOX (self->notice), holder);
  gtk_box_append (GTK_BOX (self->notice), self->notice_words);
  return self->notice;
}

static GtkWidget *
pass_pane (Window *self)
{
  GtkWidget *pane = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->title = ls_part_label (NULL, "pane-title");
  self->words = ls_part_label (NULL, "reason");
  self->summary = ls_part_label (NULL, NULL);
  self->texts = ls_compare_texts_new ();
  ls_compare_texts_set_session (LS_COMPARE_TEXTS (self->texts), self->session);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (self->summary), TRUE);
  gtk_widget_set_vexpand (self->texts, TRUE);
  gtk_widget_add_css_class (head, "lowering-head");
  gtk_box_append (GTK_BOX (line), self->title);
  gtk_box_append (GTK_BOX (line), self->words);
  gtk_box_append (GTK_BOX (head), line);
  gtk_box_append (GTK_BOX (head), self->summary);
  gtk_box_append (GTK_BOX (pane), head);
  gtk_box_append (GTK_BOX (pane), notice_new (self));
  gtk_box_append (GTK_BOX (pane), self->texts);
  return pane;
}

static GtkWidget *
content_new (Window *self)
{
  GtkWidget *halves = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->list = ls_lowering_list_new ();
  self->status = ls_status_new ();
  self->stack = gtk_stack_new ();
  gtk_paned_set_start_child (GTK_PANED (halves), self->list);
  gtk_paned_set_end_child (GTK_PANED (halves), pass_pane (self));
  gtk_paned_set_resize_start_child (GTK_PANED (halves), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (halves), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (halves), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), halves, "passes");
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "status");
  gtk_widget_set_vexpand (self->stack, TRUE);
  g_signal_connect_swapped (self->list, "chosen", G_CALLBACK (chosen), self);
  return self->stack;
}

static void
build (Window    *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("Up and Down go pass by pass, Alt+Left and Alt+Right to the passes that change something, Alt+Up and Alt+Down from change "
                                     "to change. The times are those of a single run."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_box_append (GTK_BOX (box), head_row (self));
  gtk_box_append (GTK_BOX (box), content_new (self));
  self->window = ls_tool_window_new (parent, _("Lowering"), CLAMP (gtk_widget_get_width (GTK_WIDGET (parent)), 800, WIDEST),
                                     CLAMP (gtk_widget_get_height (GTK_WIDGET (parent)), 560, HIGHEST), box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
  g_signal_connect_swapped (self->window, "realize", G_CALLBACK (realized), self);
}

static void
show (const LsToolPlace *place)
{
  Window *self = ls_tool_window_find (place->parent, KEY);

  if (self != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->window));
      return;
    }
  self = g_new0 (Window, 1);
  self->session = g_object_ref (place->session);
  self->worker = ls_worker_new ();
  build (self, place->parent);
  ls_tool_window_keep (self->window, KEY, self, window_free);
  g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (ask), self);
  g_signal_connect_swapped (self->session, "notify::selection", G_CALLBACK (selection_changed), self);
  ask (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_lowering_tool = { .id = KEY, .label = N_("Lowering"), .accel = "<Control><Shift>l", .follows = TRUE, .show = show };
