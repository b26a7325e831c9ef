/* threads/asking: the worker runs the kernel of the shown step: on simulated threads, for the list and the picture; or as loops, for its result. */
#include "app/threads/window-private.h"

#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "engine/tir/device.h"

#include <glib/gi18n.h>

#define TIMEOUT_MS 60000

static void
say (Window     *self,
     const char *words)
{
  self->pause (self);
  ls_threads_picture_set (LS_THREADS_PICTURE (self->picture), NULL);
  g_clear_pointer (&self->threads, ls_threads_free);
  g_clear_pointer (&self->layouts, g_array_unref);
  self->layout = -1;
  g_array_set_size (self->shown, 0);
  self->clear (self);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  gtk_label_set_label (GTK_LABEL (self->words), "");
  gtk_widget_set_sensitive (self->slider, FALSE);
  gtk_widget_set_sensitive (self->play, FALSE);
  gtk_widget_set_sensitive (self->save, FALSE);
  gtk_widget_set_sensitive (self->fast, FALSE);
  gtk_widget_set_visible (self->fast_words, FALSE);
}

/* There are no threads, and why: no block after the one that was asked for can be gone to. */
static void
say_none (Window     *self,
          const char *words)
{
  say (self, words);
  self->filling = TRUE;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->block), 0, (double) self->wanted_block);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->kernel), 1, self->wanted_kernel + 1);
  self->filling = FALSE;
}

static void
sum_up (Window *self)
{
  const LsThreadsKernel *kernel = ls_threads_kernel (self->threads, self->threads->kernel);
  g_autofree char *words = NULL, *blocks = NULL, *warps = NULL, *barriers = NULL, *occupancy = kernel != NULL ? ls_threads_occupancy_words (kernel) : NULL, *both = NULL;

  if (kernel == NULL)
    return;
  blocks = ls_threads_blocks_words (kernel->blocks);
  warps = ls_threads_warps_words (kernel->warps);
  barriers = ls_threads_barriers_words (kernel->barriers);
  /* Translators: the device, then "4 blocks", "8 warps", "1 barrier", two numbers of branches */
  words = g_strdup_printf (self->threads->findings->len > 0 ? ngettext ("Simulated threads, limits of %s: %s, %s, %s, %lld of %lld branch splits a warp. There are findings.",
                                                                        "Simulated threads, limits of %s: %s, %s, %s, %lld of %lld branches split a warp. There are findings.",
                                                                        (gulong) kernel->branches)
                           : ngettext ("Simulated threads, limits of %s: %s, %s, %s, %lld of %lld branch splits a warp. No race, no barrier missed.",
                                       "Simulated threads, limits of %s: %s, %s, %s, %lld of %lld branches split a warp. No race, no barrier missed.",
                                       (gulong) kernel->branches),
                           self->threads->device, blocks, warps, barriers, (long long) kernel->divergent, (long long) kernel->branches);
  both = g_strjoin (" ", words, occupancy, NULL);
  gtk_label_set_label (GTK_LABEL (self->sentence), both);
  self->filling = TRUE;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->block), 0, (double) MAX (kernel->grid[0] * kernel->grid[1] * kernel->grid[2] - 1, 0));
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->kernel), 1, MAX (self->threads->kernels->len, 1));
  gtk_widget_set_visible (self->kernel_box, self->threads->kernels->len > 1);
  self->filling = FALSE;
}

/* The list gets the keys, unless somebody has gone elsewhere: Left and Right belong to the clock, and in a field they would be the field's. */
static void
take_keyboard (Window *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  if (row != NULL && (focus == NULL || ((gtk_widget_is_ancestor (focus, self->block) || gtk_widget_is_ancestor (focus, self->kernel)) && self->wanted_block == 0 && self->wanted_kernel == 0)))
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Window *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      say_none (self, error->message);
      return;
    }
  ls_threads_picture_set (LS_THREADS_PICTURE (self->picture), NULL);
  g_clear_pointer (&self->threads, ls_threads_free);
  g_clear_pointer (&self->layouts, g_array_unref);
  self->layout = -1;
  self->threads = ls_threads_new (answer, self->wanted_block, self->wanted_kernel);
  self->layouts = ls_threads_layouts_new (answer);
  ls_threads_picture_set (LS_THREADS_PICTURE (self->picture), self->threads);
  sum_up (self);
  self->fill (self);
  gtk_widget_set_sensitive (self->save, TRUE);
  gtk_widget_set_sensitive (self->fast, TRUE);
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
  take_keyboard (self);
}

static char *
wanted_function (Window *self)
{
  guint first, last, n = self->text != NULL ? ls_script_text_n_lines (self->text) : 0;

  if (n > 0 && ls_code_lines_of (self->text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (self->text, first);
  for (guint i = 0; i < n; i++)
    if (ls_script_text_line (self->text, i)->id != 0)
      return ls_code_function_at (self->text, i + 1);
  return NULL;
}

void
threads_stop (Window *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

/* What a run of the shown step takes; FALSE: there is none, and that is said. */
static gboolean
fill_params (Window       *self,
             GVariantDict *params)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  g_autofree char *function = NULL;
  const char *target = LS_IS_ENGINE_SESSION (self->session) ? ls_engine_session_get_target (LS_ENGINE_SESSION (self->session)) : NULL;

  g_set_object (&self->text, ls_session_get_script (self->session));
  function = wanted_function (self);
  if (module == NULL || function == NULL)
    {
      say_none (self, module == NULL ? error->message : _("There is no function here that could run on threads."));
      return FALSE;
    }
  g_variant_dict_init (params, NULL);
  g_variant_dict_insert (params, "module", "s", module);
  g_variant_dict_insert (params, "func", "s", function);
  g_variant_dict_insert (params, "target", "s", ls_device_target_is (target) ? target : "cuda");
  return TRUE;
}

/* The kernel as loops: its time here, and whether its result is that of the program before its steps. */
static void
answered_fast (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  Window *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *ms = NULL, *words = NULL;
  const char *verdict;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  gtk_widget_set_sensitive (self->fast, TRUE);
  if (answer == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->fast_words), error->message);
      return;
    }
  ms = g_strdup_printf ("%.3g", (double) ls_params_int (answer, "cpu-ns", 0) / 1e6);
  verdict = ls_params_bool (answer, "same", FALSE) ? _("The result is that of the program before its steps.") : _("THE RESULT IS NOT that of the program before its steps.");
  /* Translators: milliseconds, and one of the two sentences about the result */
  words = g_strdup_printf (_("As loops over blocks and threads: %s ms on this CPU, which is no time of a GPU; nothing was checked or counted. %s"), ms, verdict);
  gtk_label_set_label (GTK_LABEL (self->fast_words), words);
}

void
threads_run_fast (Window *self)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  threads_stop (self);
  if (!fill_params (self, &params))
    return;
  g_variant_dict_insert (&params, "base", "s", ls_session_get_base (self->session));
  g_variant_dict_insert (&params, "fast", "b", TRUE);
  gtk_label_set_label (GTK_LABEL (self->fast_words), _("The kernel is being run."));
  gtk_widget_set_visible (self->fast_words, TRUE);
  gtk_widget_set_sensitive (self->fast, FALSE);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "simt", g_variant_dict_end (&params), &options, self->asking, answered_fast, self);
}

void
threads_ask (Window *self)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  threads_stop (self);
  if (!fill_params (self, &params))
    return;
  say (self, _("The kernel is being run."));
  g_variant_dict_insert (&params, "trace-block", "x", self->wanted_block);
  g_variant_dict_insert (&params, "trace-kernel", "x", (gint64) self->wanted_kernel);
  g_variant_dict_insert (&params, "layouts", "b", TRUE);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "simt", g_variant_dict_end (&params), &options, self->asking, answered, self);
}
