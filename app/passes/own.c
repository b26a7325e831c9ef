/* passes/own: the worker lowers, then compiles, pass by pass; both rows of stages become one log. */
#include "app/passes/own.h"

#include "app/passes/private.h"
#include "app/rpc/rpc.h"
#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/session/run.h"

#include <glib/gi18n.h>

#define KEY "program-passes"
#define TIMEOUT_MS 60000

typedef struct {
  LsPassesWindow *shown;        /* whose window owns this */
  LsWorker       *worker;
  GCancellable   *cancellable;
  char           *module, *function, *target;
  GArray         *stages;       /* of LsPassStage */
  GPtrArray      *strings;
} Own;

static const struct { const char *method, *name; LsPassLogKind language; } ROWS[] = {
  { "lower", "TensorIR", LS_PASS_LOG_TVM }, { "optimise", "LLVM IR", LS_PASS_LOG_LLVM },
};

static void
own_free (gpointer data)
{
  Own *self = data;

  g_object_unref (self->worker);
  g_object_unref (self->cancellable);
  g_free (self->module);
  g_free (self->function);
  g_free (self->target);
  g_array_unref (self->stages);
  g_ptr_array_unref (self->strings);
  g_free (self);
}

static void
take_stages (Own      *self,
             guint     row,
             GVariant *answer)
{
  g_autoptr (GVariant) stages = g_variant_lookup_value (answer, "stages", G_VARIANT_TYPE ("a(sxssa(uuu))"));

  for (gsize i = 0; stages != NULL && i < g_variant_n_children (stages); i++)
    {
      const char *name, *trouble, *text;
      gint64 ns;
      char *pass, *copy;
      LsPassStage stage;

      g_variant_get_child (stages, i, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, &text, NULL);
      if (i > 0 && ns < 0)
        break;          /* not reached */
      pass = *trouble != '\0' ? g_strdup_printf ("%s: %s", name, trouble) : g_strdup (i > 0 ? name : ROWS[row].name);
      copy = i == 0 || *text != '\0' ? g_strdup (text) : NULL;
      g_ptr_array_add (self->strings, pass);
      g_ptr_array_add (self->strings, copy);
      stage = (LsPassStage) { pass, copy, ROWS[row].language, i == 0, ns >= 0 ? (double) ns / 1e9 : -1 };
      g_array_append_val (self->stages, stage);
    }
}

static void ask (Own *self, guint row);

static void
answered (Own          *self,
          guint         row,
          LsWorker     *worker,
          GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (worker, result, NULL, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  if (answer != NULL)
    take_stages (self, row, answer);
  if (answer != NULL && row + 1 < G_N_ELEMENTS (ROWS))
    {
      ask (self, row + 1);
      return;
    }
  if (self->stages->len > 0)
    ls_passes_window_take (self->shown, ls_passes_new (ls_pass_log_from_stages ((const LsPassStage *) (void *) self->stages->data, self->stages->len, NULL)));
  else
    {
      g_autofree char *words = error != NULL ? ls_run_end_words (error, NULL, TIMEOUT_MS) : g_strdup (_("There is no loop here that could be lowered."));

      ls_passes_window_say (self->shown, words, TRUE);
    }
}

static void
lowered (GObject      *worker,
         GAsyncResult *result,
         gpointer      data)
{
  answered (data, 0, LS_WORKER (worker), result);
}

static void
optimised (GObject      *worker,
           GAsyncResult *result,
           gpointer      data)
{
  answered (data, 1, LS_WORKER (worker), result);
}

static void
ask (Own  *self,
     guint row)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->module);
  if (self->function != NULL)
    g_variant_dict_insert (&params, "func", "s", self->function);
  if (self->target != NULL)
    g_variant_dict_insert (&params, "target", "s", self->target);
  ls_worker_call_async (self->worker, ROWS[row].method, g_variant_dict_end (&params), &options, self->cancellable, row == 0 ? lowered : optimised, self);
}

/* The function of the selection; NULL: none is selected. (transfer full) */
static char *
selected_function (LsSession *session)
{
  LsScriptText *text = ls_session_get_script (session);
  guint first, last;

  return text != NULL && ls_code_lines_of (text, ls_session_get_selection (session), &first, &last) ? ls_code_function_at (text, first) : NULL;
}

static void
show (const LsToolPlace *place)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (place->session, LS_EXPORT_MODULE, &error), *title = NULL;
  const char *name = gtk_window_get_title (place->parent);
  Own *self;

  if (module == NULL)
    {
      place->say (place->parent, _("Passes of This Program"), error->message);
      return;
    }
  self = g_new0 (Own, 1);
  self->shown = ls_passes_window_new (gtk_window_get_application (place->parent), name != NULL ? name : "");
  self->worker = ls_worker_new ();
  self->cancellable = g_cancellable_new ();
  self->module = g_steal_pointer (&module);
  self->function = selected_function (place->session);
  self->target = LS_IS_ENGINE_SESSION (place->session) ? g_strdup (ls_engine_session_get_target (LS_ENGINE_SESSION (place->session))) : NULL;
  self->stages = g_array_new (FALSE, FALSE, sizeof (LsPassStage));
  self->strings = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect_object (self->shown->window, "destroy", G_CALLBACK (g_cancellable_cancel), self->cancellable, G_CONNECT_SWAPPED);
  g_object_set_data_full (G_OBJECT (self->shown->window), KEY, self, own_free);
  ls_passes_window_say (self->shown, _("The program is being lowered."), FALSE);
  gtk_window_present (self->shown->window);
  ask (self, 0);
}

const LsTool ls_own_passes_tool = { .id = KEY, .label = N_("Passes of This Program"), .accel = "<Control><Shift>y", .follows = TRUE, .show = show };
