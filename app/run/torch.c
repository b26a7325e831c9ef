/* run/torch: see the header.  Torch is asked for only when somebody wants it: the process of the lessons' cells, in its jail, which may write into one folder. */
#include "app/run/torch.h"

#include "app/kernel/kernel.h"
#include "app/session/torch.h"
#include "engine/base/folder.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsRunTorch {
  void        (*done) (gpointer owner, const char *trouble);
  gpointer      owner;
  char         *folder;         /* or NULL */
  LsKernel     *kernel;
  GCancellable *asking;         /* of the request under way, or NULL */
};

LsRunTorch *
ls_run_torch_new (void   (*done) (gpointer owner, const char *trouble),
                  gpointer owner)
{
  LsRunTorch *self = g_new0 (LsRunTorch, 1);

  self->done = done;
  self->owner = owner;
  self->kernel = ls_kernel_new ();
  return self;
}

/* ---- the folder ----------------------------------------------------------------------------- */

void
ls_run_torch_free (LsRunTorch *self)
{
  ls_run_torch_stop (self);
  g_object_unref (self->kernel);
  if (self->folder != NULL)
    ls_folder_remove (self->folder);
  g_free (self->folder);
  g_free (self);
}

gboolean
ls_run_torch_has (LsSession *session)
{
  return LS_IS_ENGINE_SESSION (session) && ls_engine_session_has_torch (LS_ENGINE_SESSION (session));
}

gboolean
ls_run_torch_put (LsRunTorch    *self,
                  LsSession     *session,
                  LsWorker      *worker,
                  GVariantDict  *params,
                  GError       **error)
{
  ls_run_torch_stop (self);
  if (self->folder == NULL)
    {
      self->folder = g_dir_make_tmp ("loopscope-torch-XXXXXX", error);
      if (self->folder == NULL)
        return FALSE;
      ls_worker_add_path (worker, self->folder, TRUE);
      ls_kernel_set_exchange (self->kernel, self->folder);
    }
  ls_folder_empty (self->folder);
  return ls_engine_session_save_torch (LS_ENGINE_SESSION (session), self->folder, params, error);
}

/* ---- the process ---------------------------------------------------------------------------- */

/* A request, which may come back when nobody waits for it and `self` is gone. */
typedef struct {
  LsRunTorch   *self;
  GCancellable *asking;
} Asked;

static Asked *
asked_new (LsRunTorch *self)
{
  Asked *asked = g_new0 (Asked, 1);

  asked->self = self;
  asked->asking = g_object_ref (self->asking);
  return asked;
}

/* NULL: nobody waits. */
static LsRunTorch *
asked_free (Asked *asked)
{
  LsRunTorch *self = g_cancellable_is_cancelled (asked->asking) ? NULL : asked->self;

  g_object_unref (asked->asking);
  g_free (asked);
  return self;
}

static void
end (LsRunTorch *self,
     const char *trouble)
{
  g_clear_object (&self->asking);
  ls_kernel_stop (self->kernel);        /* what torch holds is large */
  self->done (self->owner, trouble);
}

static void
ran (GObject      *source,
     GAsyncResult *result,
     gpointer      data)
{
  LsRunTorch *self = asked_free (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request_finish (LS_KERNEL (source), result, NULL, &error);
  g_autofree char *words = NULL;

  if (self == NULL)
    return;
  if (answer == NULL)
    words = g_strdup_printf (_("Torch did not run the graph: %s"), error->message);
  else if (strcmp (ls_params_string (answer, "status", ""), "ok") != 0)
    /* Translators: what Python says, in English */
    words = g_strdup_printf (_("Torch did not run the graph: %s"), ls_params_string (answer, "message", ls_params_string (answer, "status", "?")));
  end (self, words);
}

static void
run (LsRunTorch *self)
{
  g_autofree char *path = g_strescape (self->folder, NULL);
  g_autofree char *code = g_strdup_printf ("import os\nfrom loopscope_kernel import torch_values\ntorch_values.write(os.fsdecode(b\"%s\"))\n", path);
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", "torch");
  g_variant_dict_insert (&params, "quiet", "b", TRUE);
  ls_kernel_request_async (self->kernel, "run", g_variant_dict_end (&params), 0, ran, asked_new (self));
}

static void
needs_known (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  LsRunTorch *self = asked_free (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request_finish (LS_KERNEL (source), result, NULL, &error);
  g_auto (GStrv) missing = NULL;
  g_auto (GStrv) packages = NULL;
  g_autofree char *words = NULL;

  if (self == NULL)
    return;
  missing = answer != NULL ? ls_params_strv (answer, "missing") : NULL;
  packages = answer != NULL ? ls_params_strv (answer, "packages") : NULL;
  if (answer == NULL)
    words = g_strdup_printf (_("Torch did not run the graph: %s"), error->message);
  else if (missing != NULL && missing[0] != NULL)
    /* Translators: the name of a package of Debian */
    words = g_strdup_printf (_("Python has no module torch here: apt-get install %s brings it."), packages != NULL && packages[0] != NULL ? packages[0] : "python3-torch");
  if (words != NULL)
    end (self, words);
  else
    run (self);
}

void
ls_run_torch_begin (LsRunTorch *self)
{
  GVariantDict params;

  ls_run_torch_stop (self);
  self->asking = g_cancellable_new ();
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_new_strv ((const char *const[]) { "torch" }, 1));
  ls_kernel_request_async (self->kernel, "needs", g_variant_dict_end (&params), 60, needs_known, asked_new (self));
}

gboolean
ls_run_torch_runs (LsRunTorch *self)
{
  return self->asking != NULL;
}

void
ls_run_torch_stop (LsRunTorch *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  ls_kernel_stop (self->kernel);
}
