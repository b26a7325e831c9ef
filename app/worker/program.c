/* program: text to code that runs, and the programs that are kept between requests. */
#include "app/worker/program.h"

#include "engine/script/parser.h"
#include "engine/simt/serial.h"
#include "engine/tir/pass/pass.h"

#include <inttypes.h>
#include <string.h>

#define MAX_KEPT 64
#define MAX_RECENT 32           /* programs kept by structure */
#define MAX_AHEAD 16            /* programs built at the same time as another */

LsJit *
ls_program_jit (GError **error)
{
  static GMutex mutex;
  static LsJit *jit;
  LsJit *made;

  g_mutex_lock (&mutex);
  if (jit == NULL)
    jit = ls_jit_new (error);
  made = jit;
  g_mutex_unlock (&mutex);
  return made;
}

/* ---- reading ----------------------------------------------------------------- */

static LsModule *
parse (LsSource *source,
       GError  **error)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *findings = NULL;
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    return module;
  ls_unref (module);
  findings = ls_diagnostics_print (diagnostics);
  ls_worker_refuse (error, "%s", *findings != 0 ? findings : ls_translate ("The module holds no function."));
  return NULL;
}

LsModule *
ls_program_read_module (const char *text,
                        GError    **error)
{
  g_autoptr (LsSource) source = ls_source_new ("module", text, -1);

  return parse (source, error);
}

static LsModule *
read_module (LsProgram  *self,
             const char *text,
             GError    **error)
{
  self->source = ls_source_new ("module", text, -1);
  return parse (self->source, error);
}

static char *
function_names (LsModule *module)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
  return g_string_free (names, FALSE);
}

LsPrimFunc *
ls_program_find_function (LsModule    *module,
                          const char  *name,
                          const char **found,
                          GError     **error)
{
  g_autofree char *names = NULL;

  if (name == NULL)
    name = module->functions->n == 1 ? ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint : "main";
  if (ls_is (ls_module_get (module, name), PRIM_FUNC))
    {
      *found = ls_module_get_global_var (module, name)->name_hint;
      return (LsPrimFunc *) ls_module_get (module, name);
    }
  names = function_names (module);
  ls_worker_refuse (error, "The module has no function %s; it has %s.", name, names);
  return NULL;
}

static gboolean
find_function (LsProgram  *self,
               const char *name,
               GError    **error)
{
  const char *found;

  self->func = ls_program_find_function (self->module, name, &found, error);
  if (self->func == NULL)
    return FALSE;
  self->name = g_strdup (found);
  return TRUE;
}

/* ---- building ---------------------------------------------------------------- */

static gboolean
compile (LsProgram              *self,
         LsModule               *lowered,
         const LsCodegenOptions *options,
         GError                **error)
{
  LsJit *jit = options->no_object ? NULL : ls_program_jit (error);
  gint64 start = ls_clock_ns ();

  if (jit == NULL && !options->no_object)
    return FALSE;
  self->object = ls_codegen_compile (lowered, self->name, self->target, options, error);
  self->compile_ns = ls_clock_ns () - start;
  if (self->object == NULL || options->no_object)
    return self->object != NULL;
  if (!self->target->is_host)
    {
      ls_worker_refuse (error, "Code for %s does not run on this machine.", self->target->triple);
      return FALSE;
    }
  self->kernel = ls_jit_add (jit, self->object, error);
  self->link_ns = self->kernel != NULL ? ls_kernel_get_link_ns (self->kernel) : 0;
  return self->kernel != NULL;
}

/* The function as it stands in the text, with checks. */
static gboolean
compile_written (LsProgram              *self,
                 const LsCodegenOptions *options,
                 GError                **error)
{
  LsJit *jit = ls_program_jit (error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions own = *options;
  g_autoptr (LsObject) object = NULL;

  own.prefix = prefix;
  object = jit != NULL ? ls_codegen_compile (self->module, self->name, self->target, &own, error) : NULL;
  self->written = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  return self->written != NULL;
}

static LsCodegenOptions
complete_options (const LsCodegenOptions *given,
                  GVariant               *params,
                  const char             *prefix)
{
  LsCodegenOptions options = given != NULL ? *given : (LsCodegenOptions) { 0 };

  options.check_bounds = ls_params_bool (params, "check-bounds", options.check_bounds);
  options.no_contract = !ls_params_bool (params, "contract", !options.no_contract);
  options.debug_lines = ls_params_bool (params, "debug-lines", options.debug_lines);
  options.prefix = options.no_object ? "" : prefix;
  return options;
}

/* Only read yet. (transfer full) */
static LsProgram *
begin (const char *text,
       GVariant   *params,
       GError    **error)
{
  g_autoptr (LsProgram) self = g_new0 (LsProgram, 1);
  gint64 start = ls_clock_ns ();

  g_atomic_ref_count_init (&self->refs);
  self->target = ls_target_parse (ls_params_string (params, "target", NULL), error);
  self->module = self->target != NULL ? read_module (self, text, error) : NULL;
  if (self->module == NULL || !find_function (self, ls_params_string (params, "func", NULL), error))
    return NULL;
  self->parse_ns = ls_clock_ns () - start;
  return g_steal_pointer (&self);
}

/* The function with its threads as loops, where it has any; else the module itself. (transfer full) */
static LsModule *
threads_as_loops (LsProgram  *self,
                  GVariant   *params,
                  GError    **error)
{
  g_autoptr (LsDeviceTarget) device = NULL;
  g_autoptr (LsPrimFunc) lowered = NULL, serial = NULL;

  if (!ls_params_bool (params, "threads-as-loops", FALSE) || !ls_simt_is_bound (self->func))
    return ls_ref (self->module);
  device = ls_device_target_parse (ls_params_string (params, "device", "cuda"), error);
  lowered = device != NULL ? ls_lower_device (self->func, device, NULL, NULL, error) : NULL;
  serial = lowered != NULL ? ls_simt_serial (lowered, error) : NULL;
  return serial != NULL ? ls_module_with (self->module, self->name, LS_NODE (serial)) : NULL;
}

static gboolean
finish (LsProgram              *self,
        GVariant               *params,
        const LsCodegenOptions *given,
        GError                **error)
{
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = complete_options (given, params, prefix);
  g_autoptr (LsModule) lowered = NULL, loops = threads_as_loops (self, params, error);
  gint64 start = ls_clock_ns ();

  if (loops == NULL)
    return FALSE;
  if (options.check_bounds && loops == self->module && !options.no_object && self->target->is_host && !compile_written (self, &options, error))
    return FALSE;
  lowered = ls_lower_module (loops, NULL, NULL, error);
  self->lower_ns = ls_clock_ns () - start;
  return lowered != NULL && compile (self, lowered, &options, error);
}

LsProgram *
ls_program_build (const char             *text,
                  GVariant               *params,
                  const LsCodegenOptions *given,
                  GError                **error)
{
  g_autoptr (LsProgram) self = begin (text, params, error);

  return self != NULL && finish (self, params, given, error) ? g_steal_pointer (&self) : NULL;
}

/* ---- kept by structure ---------------------------------------------------------- */

/* Of LsProgram, the last one asked for first.  Requests come one after the other, but what is built ahead comes from threads. */
static GQueue recent = G_QUEUE_INIT;
static GMutex recent_mutex;

/* All that a program depends on besides its module. (transfer full) */
static char *
wishes_of (LsProgram *self,
           GVariant  *params)
{
  return g_strdup_printf ("%s\n%s\n%s\n%d %d %d %d", ls_params_string (params, "target", ""), ls_params_string (params, "device", ""), self->name,
                          ls_params_bool (params, "threads-as-loops", FALSE), ls_params_bool (params, "check-bounds", FALSE),
                          ls_params_bool (params, "contract", TRUE), ls_params_bool (params, "debug-lines", FALSE));
}

/* Under the mutex. */
static LsProgram *
find_recent (LsProgram  *fresh,
             const char *wishes)
{
  for (GList *at = recent.head; at != NULL; at = at->next)
    {
      LsProgram *known = at->data;

      if (LS_NODE (known->module)->hash != LS_NODE (fresh->module)->hash || strcmp (known->wishes, wishes) != 0
          || !ls_structural_equal (known->module, fresh->module, FALSE, NULL, NULL))
        continue;
      g_queue_unlink (&recent, at);
      g_queue_push_head_link (&recent, at);
      return known;
    }
  return NULL;
}

/* The one that is kept, or NULL. (transfer full) */
static LsProgram *
take_recent (LsProgram  *fresh,
             const char *wishes)
{
  LsProgram *known;

  g_mutex_lock (&recent_mutex);
  known = find_recent (fresh, wishes);
  if (known != NULL)
    {
      known->again = known->asked;
      known->asked = TRUE;
      known->parse_ns = fresh->parse_ns;
      ls_program_ref (known);
    }
  g_mutex_unlock (&recent_mutex);
  return known;
}

/* Takes the wishes. */
static void
keep_recent (LsProgram *self,
             char      *wishes)
{
  LsProgram *oldest = NULL;

  self->wishes = wishes;
  g_mutex_lock (&recent_mutex);
  g_queue_push_head (&recent, ls_program_ref (self));
  if (g_queue_get_length (&recent) > MAX_RECENT)
    oldest = g_queue_pop_tail (&recent);
  g_mutex_unlock (&recent_mutex);
  ls_program_unref (oldest);
}

typedef struct {
  const char *text;
  GVariant   *params;
  GThread    *thread;
} Ahead;

/* Errors are found again by the request that asks for it. */
static gpointer
build_ahead (gpointer data)
{
  Ahead *one = data;
  g_autoptr (LsProgram) self = begin (one->text, one->params, NULL);
  g_autofree char *wishes = self != NULL ? wishes_of (self, one->params) : NULL;
  gboolean known;

  if (self == NULL)
    return NULL;
  g_mutex_lock (&recent_mutex);
  known = find_recent (self, wishes) != NULL;
  g_mutex_unlock (&recent_mutex);
  if (known || !finish (self, one->params, NULL, NULL))
    return NULL;
  self->ahead = TRUE;
  keep_recent (self, g_steal_pointer (&wishes));
  return NULL;
}

LsProgram *
ls_program_build_once (const char        *text,
                       GVariant          *params,
                       const char *const *ahead,
                       GError           **error)
{
  g_autoptr (LsProgram) self = begin (text, params, error);
  g_autofree char *wishes = self != NULL ? wishes_of (self, params) : NULL;
  LsProgram *known = self != NULL ? take_recent (self, wishes) : NULL;
  Ahead others[MAX_AHEAD];
  guint n = 0, most = MIN (g_get_num_processors () - 1, MAX_AHEAD);
  gboolean ok;

  if (known != NULL || self == NULL)
    return known;
  for (; ahead != NULL && ahead[n] != NULL && n < most; n++)
    {
      others[n] = (Ahead) { ahead[n], params, NULL };
      others[n].thread = g_thread_new ("ls-build", build_ahead, &others[n]);
    }
  ok = finish (self, params, NULL, error);
  for (guint i = 0; i < n; i++)
    g_thread_join (others[i].thread);
  if (!ok)
    return NULL;
  self->asked = TRUE;
  keep_recent (self, g_steal_pointer (&wishes));
  return g_steal_pointer (&self);
}

LsProgram *
ls_program_read (const char *text,
                 GVariant   *params,
                 GError    **error)
{
  g_autoptr (LsProgram) self = g_new0 (LsProgram, 1);

  g_atomic_ref_count_init (&self->refs);
  self->module = read_module (self, text, error);
  if (self->module == NULL || !find_function (self, ls_params_string (params, "func", NULL), error))
    return NULL;
  return g_steal_pointer (&self);
}

LsProgram *
ls_program_ref (LsProgram *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_program_unref (LsProgram *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_kernel_free (self->kernel);
  ls_kernel_free (self->written);
  ls_object_free (self->object);
  ls_target_free (self->target);
  ls_unref (self->module);
  g_clear_pointer (&self->source, ls_source_unref);
  g_free (self->name);
  g_free (self->wishes);
  g_free (self);
}

/* ---- kept between requests ------------------------------------------------------ */

static GHashTable *kept;        /* gint64 * -> LsProgram; requests come one after the other */
static gint64 next_id = 1;

gint64
ls_program_keep (LsProgram *self)
{
  gint64 oldest = next_id - MAX_KEPT;

  if (kept == NULL)
    kept = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) ls_program_unref);
  g_hash_table_remove (kept, &oldest);
  g_hash_table_insert (kept, g_memdup2 (&next_id, sizeof next_id), ls_program_ref (self));
  return next_id++;
}

LsProgram *
ls_program_of_request (GVariant *params,
                       GError  **error)
{
  gint64 id = ls_params_int (params, "kernel", 0);
  LsProgram *known = kept != NULL && id > 0 ? g_hash_table_lookup (kept, &id) : NULL;
  const char *text;

  if (known != NULL)
    return ls_program_ref (known);
  if (id > 0 && ls_params_string (params, "module", NULL) == NULL)
    {
      ls_worker_refuse (error, "There is no kernel %" PRId64 " (any more).", id);
      return NULL;
    }
  text = ls_params_require_string (params, "module", error);
  return text != NULL ? ls_program_build (text, params, NULL, error) : NULL;
}

void
ls_program_put_times (LsProgram    *self,
                      GVariantDict *dict)
{
  g_variant_dict_insert (dict, "parse-ns", "x", self->parse_ns);
  g_variant_dict_insert (dict, "lower-ns", "x", self->lower_ns);
  g_variant_dict_insert (dict, "emit-ns", "x", self->object->emit_ns);
  g_variant_dict_insert (dict, "optimise-ns", "x", self->object->optimise_ns);
  g_variant_dict_insert (dict, "machine-ns", "x", self->object->machine_ns);
  g_variant_dict_insert (dict, "link-ns", "x", self->link_ns);
  g_variant_dict_insert (dict, "build-kept", "b", self->again);
  g_variant_dict_insert (dict, "built-ahead", "b", self->ahead && !self->again);
  g_variant_dict_insert (dict, "build-ns", "x", self->parse_ns + (self->again ? 0 : self->lower_ns + self->compile_ns + self->link_ns));
  if (self->object->code != NULL)
    g_variant_dict_insert (dict, "object-bytes", "x", (gint64) g_bytes_get_size (self->object->code));
}
