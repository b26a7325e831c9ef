/* maker: see the header. */
#include "app/bundle/bundle.h"

#include "app/bundle/fail.h"
#include "engine/base/folder.h"
#include "engine/runtime/runtime.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/specialize.h"

#include <inttypes.h>

#include <string.h>

struct _LsBundleMaker {
  LsModule       *base;         /* with numbers for its sizes */
  char          **set;          /* these, or NULL */
  char           *name, *text, *target_text, *hash;
  const char     *func;         /* borrowed from the module */
  LsDeviceTarget *target;
  GPtrArray      *archs;        /* "sm_80" */
  gint64          seed, timeout_s;
  guint64         memory;
  GCancellable   *cancellable;  /* or NULL */
  LsBundle        bundle;       /* its texts are ours */
};

/* All of a module, so that it is read back as it is. (transfer full) */
static char *
text_of (LsModule *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  return ls_script_print (module, &whole, NULL);
}

/* Asks the worker, which may write into `folder` (or NULL). (transfer full) */
static GVariant *
ask (LsBundleMaker *self,
     const char    *method,
     GVariantDict  *params,
     const char    *folder,
     GError       **error)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  LsWorkerOptions options = { .timeout_ms = self->timeout_s * 1000 };

  if (folder != NULL)
    ls_worker_add_path (worker, folder, TRUE);
  if (self->memory > 0)
    ls_worker_set_memory_limit (worker, self->memory);
  return ls_worker_call (worker, method, g_variant_dict_end (params), &options, self->cancellable, NULL, NULL, error);
}

/* ---- kernels ---- */

/* FALSE: it is the worker that failed, and not LLVM that cannot. */
static gboolean
add_ptx (LsBundleMaker *self,
         LsBundleStep  *step,
         const char    *arch,
         GString       *partly,
         GError       **error)
{
  g_autofree char *target = g_strdup_printf ("%s -arch=%s", self->target->kind, arch);
  g_autoptr (GError) inner = NULL;
  g_autoptr (GVariant) answer = NULL;
  LsBundlePtx ptx = { (int) g_ascii_strtoll (arch + strlen ("sm_"), NULL, 10), NULL };
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", step->program);
  g_variant_dict_insert (&params, "func", "s", self->func);
  g_variant_dict_insert (&params, "target", "s", target);
  answer = ask (self, "kernels", &params, NULL, &inner);
  if (answer != NULL)
    {
      ptx.text = g_strdup (ls_params_string (answer, "assembly", ""));
      g_array_append_val (step->ptx, ptx);
      return TRUE;
    }
  if (!g_error_matches (inner, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST))
    return ls_bundle_fail (error, "PTX for %s: %s", arch, inner->message);
  g_string_append_printf (partly, "%s%s", partly->len > 0 ? "; " : "", inner->message);
  return TRUE;
}

/* PTX for each architecture; what LLVM cannot make stays CUDA C. */
static gboolean
make_ptx (LsBundleMaker *self,
          LsBundleStep  *step,
          GError       **error)
{
  g_autoptr (GString) partly = g_string_new (NULL);

  for (guint i = 0; i < self->archs->len; i++)
    if (!add_ptx (self, step, self->archs->pdata[i], partly, error))
      return FALSE;
  if (partly->len > 0 && step->ptx->len == 0)
    step->no_ptx = g_strdup (partly->str);
  else if (partly->len > 0)
    step->partly = g_strdup (partly->str);
  return TRUE;
}

/* A kernel that no device of the target starts.  What OpenCL devices can do differs from one to the next: their driver says it. */
static gboolean
check_limits (LsBundleMaker      *self,
              const LsDevicePlan *plan,
              GError            **error)
{
  for (guint i = 0; self->bundle.api != LS_BUNDLE_OPENCL && i < plan->launches->len; i++)
    {
      const LsDeviceLaunch *l = plan->launches->pdata[i];
      gint64 threads = l->block[0] * l->block[1] * l->block[2];

      if (threads > self->target->max_threads)
        return ls_bundle_fail (error, "%s has blocks of %" PRId64 " threads; %s allows %" PRId64, l->kernel, threads, self->target_text, self->target->max_threads);
    }
  return TRUE;
}

LsBundleStep *
ls_bundle_maker_add (LsBundleMaker *self,
                     const char    *name,
                     const char    *title,
                     LsModule      *module,
                     GError       **error)
{
  g_autoptr (LsBundleStep) step = ls_bundle_step_new ();
  g_autoptr (LsPrimFunc) lowered = NULL;
  g_autoptr (LsDeviceText) text = NULL;
  g_autoptr (LsModule) sized = ls_bundle_sized (module, self->func, (const char *const *) self->set);
  LsNode *func = ls_module_get (sized, self->func);

  if (func == NULL || !ls_is (func, PRIM_FUNC))
    {
      ls_bundle_fail (error, "there is no function %s in it", self->func);
      return NULL;
    }
  step->name = g_strdup (name);
  step->title = g_strdup (title);
  step->hash = ls_device_hash (module);
  step->program = text_of (sized);
  step->function = g_strdup (self->func);
  lowered = ls_lower_device ((LsPrimFunc *) func, self->target, NULL, NULL, error);
  text = lowered != NULL ? ls_device_text_new (self->func, lowered, self->target, error) : NULL;
  step->plan = text != NULL ? ls_device_plan_new (self->func, lowered, error) : NULL;
  if (step->plan == NULL || !check_limits (self, step->plan, error))
    return NULL;
  step->source = g_strdup (text->text);
  if (self->bundle.api == LS_BUNDLE_CUDA && !make_ptx (self, step, error))
    return NULL;
  g_ptr_array_add (self->bundle.steps, step);
  return g_steal_pointer (&step);
}

void
ls_bundle_maker_begin (LsBundleMaker *self,
                       GCancellable  *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
  g_ptr_array_set_size (self->bundle.steps, 0);
}

/* ---- arguments and what has to come out ---- */

static LsDLDataType
dl_type (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return LS_DT_BOOL;
  return (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code, t.bits, t.lanes };
}

static gboolean
add_argument (LsBundleMaker *self,
              LsBuffer      *buffer,
              const char    *folder,
              GPtrArray     *inputs,
              GError       **error)
{
  g_autoptr (LsBundleArgument) a = g_new0 (LsBundleArgument, 1);
  g_autoptr (GBytes) data = NULL;
  g_autoptr (LsNDArray) array = NULL;
  g_autofree char *file = NULL;

  a->name = g_strcanon (g_strdup (buffer->name), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
  a->dtype = buffer->dtype;
  a->shape = g_array_new (FALSE, FALSE, sizeof (gint64));
  a->role = 'i';
  a->seed = (guint64) self->seed + self->bundle.arguments->len;
  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (buffer->shape->items[i], &extent))
        return ls_bundle_fail (error, "the shape of %s is not known: a bundle is of numbers", buffer->name);
      g_array_append_val (a->shape, extent);
    }
  if (buffer->shape->n > 8)
    return ls_bundle_fail (error, "%s has more than 8 dimensions", buffer->name);
  data = ls_bundle_argument_data (a);
  if (data == NULL)
    return ls_bundle_fail (error, "no inputs can be made for %s of type %s", buffer->name, ls_dtype_name (buffer->dtype));
  array = ls_ndarray_new ((int) a->shape->len, (const gint64 *) (gpointer) a->shape->data, dl_type (buffer->dtype), error);
  if (array == NULL)
    return FALSE;
  memcpy (array->tensor.data, g_bytes_get_data (data, NULL), g_bytes_get_size (data));
  file = g_strdup_printf ("%s/in-%u.npy", folder, self->bundle.arguments->len);
  if (!ls_npy_write (file, &array->tensor, error))
    return FALSE;
  g_ptr_array_add (inputs, g_steal_pointer (&file));
  g_ptr_array_add (self->bundle.arguments, g_steal_pointer (&a));
  return TRUE;
}

/* What the worker has written for an argument. */
static gboolean
take_expected (LsBundleArgument *a,
               GVariant         *array,
               GError          **error)
{
  const char *role = ls_params_string (array, "role", "in"), *path = ls_params_string (array, "path", NULL);
  g_autoptr (GError) inner = NULL;
  g_autoptr (LsNDArray) data = path != NULL ? ls_npy_read (path, &inner) : NULL;

  if (strcmp (role, "in") == 0)
    return TRUE;
  a->role = strcmp (role, "out") == 0 ? 'o' : 'b';
  if (data == NULL)
    return ls_bundle_fail (error, "what %s should become cannot be read: %s", a->name, inner != NULL ? inner->message : ls_translate ("it was not written"));
  a->expected = g_bytes_new (data->tensor.data, data->n_bytes);
  return TRUE;
}

static gboolean
run_base (LsBundleMaker *self,
          const char    *folder,
          GPtrArray     *inputs,
          GError       **error)
{
  g_autoptr (GVariant) answer = NULL, arrays = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->text);
  g_variant_dict_insert (&params, "func", "s", self->func);
  g_variant_dict_insert (&params, "target", "s", "llvm");
  g_variant_dict_insert (&params, "threads-as-loops", "b", TRUE);
  g_variant_dict_insert (&params, "device", "s", self->target->text);
  g_variant_dict_insert (&params, "out", "s", folder);
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) inputs->pdata, (gssize) inputs->len));
  answer = ask (self, "run", &params, folder, error);
  arrays = ls_params_require (answer, "arrays", error);
  if (arrays == NULL)
    {
      g_prefix_error (error, ls_translate ("what has to come out is computed by %s on this processor, which failed: "), self->name);
      return FALSE;
    }
  for (gsize i = 0; i < g_variant_n_children (arrays) && i < self->bundle.arguments->len; i++)
    {
      g_autoptr (GVariant) array = g_variant_get_child_value (arrays, i);

      if (!take_expected (self->bundle.arguments->pdata[i], array, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether the arrays fit into what a program may take, before any of them is made. */
static gboolean
arrays_fit (LsBundleMaker *self,
            LsPrimFunc    *func,
            GError       **error)
{
  double all = 0;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      double bytes = buffer != NULL ? ls_dtype_bytes (buffer->dtype) : 0;
      gint64 extent;

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        bytes *= ls_as_int (buffer->shape->items[k], &extent) ? (double) extent : 0;
      all += bytes;
    }
  return self->memory == 0 || all <= (double) self->memory
         || ls_bundle_fail (error, "its arrays take %.0f MiB of memory, and %.0f MiB are allowed here (--memory)", all / 1048576, (double) self->memory / 1048576);
}

static gboolean
make_expected (LsBundleMaker *self,
               GError       **error)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-bundle-XXXXXX", error);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (self->base, self->func);
  gboolean ok = folder != NULL && arrays_fit (self, func, error);

  for (guint i = 0; ok && i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      ok = buffer != NULL ? add_argument (self, buffer, folder, inputs, error)
           : ls_bundle_fail (error, "%s takes the number %s; a bundle takes arrays only", self->func, ls_array_at (func->params, i, LsVar)->name);
    }
  ok = ok && run_base (self, folder, inputs, error);
  if (folder != NULL)
    ls_folder_remove (folder);
  return ok;
}

/* ---- sizes ---- */

/* The function that is meant, or NULL. Borrowed. */
static const char *
func_of (LsModule   *module,
         const char *wanted)
{
  LsNode *node;

  if (wanted == NULL)
    wanted = module->functions->n == 1 ? ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint : "main";
  node = ls_module_get (module, wanted);
  return node != NULL && ls_is (node, PRIM_FUNC) ? ls_module_get_global_var (module, wanted)->name_hint : NULL;
}

LsModule *
ls_bundle_sized (LsModule          *module,
                 const char        *func,
                 const char *const *set)
{
  const char *name = func_of (module, func);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (LsPrimFunc) sized = NULL;

  for (guint i = 0; set != NULL && set[i] != NULL; i++)
    g_ptr_array_add (sizes, (char *) set[i]);
  if (name == NULL || sizes->len == 0)
    return ls_ref (module);
  sized = ls_prim_func_size ((LsPrimFunc *) ls_module_get (module, name), sizes);
  return ls_module_with (module, name, LS_NODE (sized));
}

/* ---- the target ---- */

static const struct { const char *kind, *api; LsBundleApi number; } APIS[] = {
  { "cuda", "cuda", LS_BUNDLE_CUDA }, { "opencl", "opencl", LS_BUNDLE_OPENCL }, { "rocm", "hip", LS_BUNDLE_HIP },
};

const char *
ls_bundle_api_of (const char *text)
{
  g_autoptr (LsDeviceTarget) target = text != NULL ? ls_device_target_parse (text, NULL) : NULL;

  for (guint i = 0; target != NULL && i < G_N_ELEMENTS (APIS); i++)
    if (strcmp (target->kind, APIS[i].kind) == 0)
      return APIS[i].api;
  return NULL;
}

gboolean
ls_bundle_is_target (const char *text)
{
  return ls_bundle_api_of (text) != NULL;
}

static gboolean
choose_target (LsBundleMaker *self,
               const char    *arch,
               GError       **error)
{
  g_auto (GStrv) list = arch != NULL ? g_strsplit (arch, ",", -1) : NULL;
  guint at = 0;

  self->target = ls_device_target_parse (self->target_text, error);
  if (self->target == NULL)
    return FALSE;
  while (at < G_N_ELEMENTS (APIS) && strcmp (self->target->kind, APIS[at].kind) != 0)
    at++;
  if (at == G_N_ELEMENTS (APIS))
    return ls_bundle_fail (error, "a bundle is for cuda, opencl or rocm; there is no host program for %s", self->target->kind);
  self->bundle.api = APIS[at].number;
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    g_ptr_array_add (self->archs, g_strdup (list[i]));
  if (self->bundle.api == LS_BUNDLE_CUDA && self->archs->len == 0)
    g_ptr_array_add (self->archs, g_strdup (*self->target->arch != 0 ? self->target->arch : "sm_70"));
  return TRUE;
}

static gboolean
choose_function (LsBundleMaker *self,
                 const char    *wanted,
                 GError       **error)
{
  self->func = func_of (self->base, wanted);
  return self->func != NULL || ls_bundle_fail (error, "the module has no function %s of TensorIR", wanted != NULL ? wanted : "main");
}

/* ---- life ---- */

LsBundleMaker *
ls_bundle_maker_new (LsModule             *base,
                     const LsBundleWishes *wishes,
                     GError              **error)
{
  g_autoptr (LsBundleMaker) self = g_new0 (LsBundleMaker, 1);

  self->base = ls_bundle_sized (base, wishes->func, wishes->set);
  self->set = g_strdupv ((char **) wishes->set);
  self->name = g_strdup (wishes->name);
  self->text = text_of (self->base);
  self->target_text = g_strdup (wishes->target);
  self->hash = ls_device_hash (self->base);
  self->archs = g_ptr_array_new_with_free_func (g_free);
  self->seed = wishes->seed;
  self->timeout_s = wishes->timeout_s;
  self->memory = wishes->memory;
  g_set_object (&self->cancellable, wishes->cancellable);
  self->bundle = (LsBundle) { .name = self->name, .target = self->target_text, .made_by = "loopscope " LS_VERSION, .program = self->text, .program_hash = self->hash,
                              .arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bundle_argument_free),
                              .steps = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bundle_step_free) };
  if (!choose_target (self, wishes->arch, error) || !choose_function (self, wishes->func, error) || !make_expected (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
ls_bundle_maker_free (LsBundleMaker *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->bundle.arguments);
  g_ptr_array_unref (self->bundle.steps);
  g_ptr_array_unref (self->archs);
  g_clear_pointer (&self->target, ls_device_target_free);
  g_clear_object (&self->cancellable);
  g_free (self->target_text);
  g_free (self->hash);
  g_free (self->text);
  g_free (self->name);
  g_strfreev (self->set);
  ls_unref (self->base);
  g_free (self);
}

const LsBundle *
ls_bundle_maker_get (LsBundleMaker *self)
{
  return &self->bundle;
}

const char *
ls_bundle_maker_get_func (LsBundleMaker *self)
{
  return self->func;
}

const char *
ls_bundle_maker_get_text (LsBundleMaker *self)
{
  return self->text;
}

GPtrArray *
ls_bundle_maker_get_archs (LsBundleMaker *self)
{
  return self->archs;
}
