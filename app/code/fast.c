/* code/fast: see the header. */
#include "app/code/fast.h"

#include "app/session/equality.h"
#include "app/session/run.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define INPUTS 10
#define BUDGET_MS 3000
#define TIMEOUT_MS 60000

struct _LsCodeFast
{
  LsWorker     *worker;
  GtkWidget    *label;
  GCancellable *asking;         /* of the call under way, or NULL */
  char         *lines;          /* the sentence about the instructions */
};

static void
show (LsCodeFast *self,
      const char *results)
{
  g_autofree char *both = g_strdup_printf ("%s %s", self->lines, results);

  gtk_label_set_label (GTK_LABEL (self->label), *results != '\0' ? both : self->lines);
  gtk_widget_set_visible (self->label, TRUE);
}

/* What the worker found. (transfer full) */
static char *
results_words (GVariant *answer)
{
  const char *state = ls_params_string (answer, "state", "");
  guint n = (guint) ls_params_int (answer, "inputs", 0);
  double error = ls_params_double (answer, "max-error", 0.0);
  g_autofree char *element = NULL;

  if (strcmp (state, "same") == 0 && error == 0.0)
    return g_strdup_printf (ngettext ("On %u random input no element differs from what IEEE 754 gives.", "On %u random inputs no element differs from what IEEE 754 gives.", n), n);
  if (strcmp (state, "same") == 0)
    return g_strdup_printf (ngettext ("On %u random input elements differ from what IEEE 754 gives by at most %.2g.",
                                      "On %u random inputs elements differ from what IEEE 754 gives by at most %.2g.", n), n, error);
  if (strcmp (state, "different") != 0)
    return g_strdup ("");
  element = ls_equality_element (answer);
  /* Translators: an element of an array, its value twice, two counts */
  return g_strdup_printf (_("On random inputs %s is %.9g, and %.9g as IEEE 754 has it; %" PRId64 " of %" PRId64 " elements differ."), element,
                          ls_params_double (answer, "left", 0.0), ls_params_double (answer, "right", 0.0),
                          ls_params_int (answer, "elements-different", 0), ls_params_int (answer, "elements", 0));
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsCodeFast *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *words = NULL, *why = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* self may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      why = ls_run_end_words (error, NULL, TIMEOUT_MS);
      words = g_strdup_printf (_("What this does to the results is not known: %s"), why);
    }
  else
    {
      words = results_words (answer);
    }
  show (self, words);
}

static void
stop (LsCodeFast *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

void
ls_code_fast_show (LsCodeFast *self,
                   int         lines,
                   const char *module,
                   const char *func,
                   const char *target)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  stop (self);
  g_clear_pointer (&self->lines, g_free);
  gtk_widget_set_visible (self->label, FALSE);
  if (lines < 0)
    return;
  self->lines = lines == 0 ? g_strdup (_("Fast mathematics is asked for, but changes no instruction."))
                           : g_strdup_printf (ngettext ("Fast mathematics makes other instructions of %d line than IEEE 754 would.",
                                                        "Fast mathematics makes other instructions of %d lines than IEEE 754 would.", (gulong) lines), lines);
  show (self, "");
  if (lines == 0)
    return;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", module);
  if (func != NULL)
    g_variant_dict_insert (&params, "left-func", "s", func);
  g_variant_dict_insert (&params, "target", "s", target);
  g_variant_dict_insert (&params, "inputs", "i", INPUTS);
  g_variant_dict_insert (&params, "budget-ms", "i", BUDGET_MS);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "same", g_variant_dict_end (&params), &options, self->asking, answered, self);
}

GtkWidget *
ls_code_fast_widget (LsCodeFast *self)
{
  return self->label;
}

LsCodeFast *
ls_code_fast_new (LsWorker *worker)
{
  LsCodeFast *self = g_new0 (LsCodeFast, 1);

  self->worker = g_object_ref (worker);
  self->label = ls_part_label (NULL, "warning");
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_widget_set_visible (self->label, FALSE);
  return self;
}

void
ls_code_fast_free (LsCodeFast *self)
{
  stop (self);
  g_object_unref (self->worker);
  g_free (self->lines);
  g_free (self);
}
