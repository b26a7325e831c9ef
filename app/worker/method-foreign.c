/* The methods step-foreign and run-foreign: a module of LLVM that somebody else made, through passes, and a function of it called and timed. */
#include "app/worker/foreign-memory.h"
#include "app/worker/program.h"
#include "app/worker/stages.h"

#include <string.h>

#define BUDGET_MS 200
#define MOST_LOG (64u << 20)    /* bytes of a log that is sent */

typedef struct {
  LsPackedFunc     func;
  LsForeignMemory *memory;
} Call;

static int
call_once (void *closure)
{
  Call *call = closure;

  return call->func (ls_foreign_memory_words (call->memory), 0, NULL, NULL);
}

/* "f32 dot (ptr, ptr, i32)". (transfer full) */
static char *
signature_words (const char *entry,
                 GArray     *types)
{
  g_autoptr (GString) words = g_string_new (ls_foreign_type_name ((LsForeignType) g_array_index (types, guint, types->len - 1)));

  g_string_append_printf (words, " %s (", entry);
  for (guint i = 0; i + 1 < types->len; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", ls_foreign_type_name ((LsForeignType) g_array_index (types, guint, i)));
  g_string_append_c (words, ')');
  return g_string_free (g_steal_pointer (&words), FALSE);
}

/* Calls it once from fresh memory for its result, then again and again for its time: each further call finds what the one before it left. */
static GVariant *
run_foreign (LsKernel        *kernel,
             LsForeignMemory *memory,
             GVariant        *params,
             GError         **error)
{
  Call call = { ls_kernel_get (kernel, "entry"), memory };
  LsTimeOptions timing = LS_TIME_OPTIONS_DEFAULT;
  g_autoptr (GVariant) reference = g_variant_lookup_value (params, "reference", G_VARIANT_TYPE ("a(ssay)")), outputs = NULL;
  g_autofree char *wrong = NULL;
  g_autoptr (LsTiming) times = NULL;
  GVariantDict dict;
  gboolean pinned;

  call_once (&call);
  outputs = g_variant_ref_sink (ls_foreign_memory_take (memory));
  wrong = reference != NULL ? ls_foreign_memory_compare (reference, outputs) : g_strdup ("");
  ls_foreign_memory_reset (memory);
  timing.budget_ns = CLAMP (ls_params_int (params, "budget-ms", BUDGET_MS), 1, 3600000) * 1000000;
  pinned = ls_host_pin_thread (0);
  times = ls_time_evaluate (call_once, &call, &timing, NULL, error);
  if (pinned)
    ls_host_unpin_thread ();
  if (times == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "median", "d", times->median);
  g_variant_dict_insert (&dict, "iqr", "d", times->iqr);
  g_variant_dict_insert (&dict, "wrong", "s", wrong);
  g_variant_dict_insert_value (&dict, "outputs", outputs);
  return g_variant_dict_end (&dict);
}

/* module (LLVM IR), entry, arguments ("f32[64] i32=64"), seed, budget-ms, reference (outputs of another run) -> median and iqr in ns, outputs a(ssay), wrong s: what
 * differs from the reference, or "".  No pass of LLVM's runs; instructions are selected as for -O2. */
static GVariant *
method_run_foreign (LsRequest  *request,
                    GVariant   *params,
                    GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  const char *entry = text != NULL ? ls_params_require_string (params, "entry", error) : NULL;
  g_autoptr (LsForeign) module = entry != NULL ? ls_foreign_read (text, error) : NULL;
  g_autoptr (GArray) types = module != NULL ? ls_foreign_signature (module, entry, error) : NULL;
  const char *arguments = ls_params_string (params, "arguments", "");
  g_autoptr (LsForeignMemory) memory = types != NULL ? ls_foreign_memory_new (arguments, types, (guint64) ls_params_int (params, "seed", 0), error) : NULL;
  LsJit *jit = memory != NULL ? ls_program_jit (error) : NULL;
  g_autoptr (LsObject) object = jit != NULL ? ls_foreign_compile (module, entry, error) : NULL;
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;

  if (kernel != NULL)
    return run_foreign (kernel, memory, params, error);
  if (types != NULL && memory == NULL)
    {
      g_autofree char *words = signature_words (entry, types);

      g_prefix_error (error, "%s: ", words);
    }
  return NULL;
}

/* module, pipeline (in the notation of opt; "": default<O2>) -> log s: what LLVM prints after each pass of it, on the whole module */
static GVariant *
method_step_foreign (LsRequest  *request,
                     GVariant   *params,
                     GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error), *pipeline = ls_params_string (params, "pipeline", "");
  g_autoptr (LsForeign) module = text != NULL ? ls_foreign_read (text, error) : NULL;
  g_autofree char *log = module != NULL ? ls_foreign_log (module, *pipeline != '\0' ? pipeline : "default<O2>", MOST_LOG, error) : NULL, *valid = NULL;
  GVariantDict dict;

  if (log == NULL)
    return NULL;
  valid = g_utf8_make_valid (log, -1);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "log", "s", valid);
  return g_variant_dict_end (&dict);
}

/* (transfer floating) */
static GVariant *
pack_numbers (GArray *numbers)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, numbers->data, numbers->len, sizeof (guint32));
}

/* One function: its operations, or none where LLVM does not print what it holds. */
static void
put_function (GVariantBuilder *functions,
              LsForeign       *module,
              const char      *name)
{
  g_autoptr (GPtrArray) operations = ls_foreign_operations (module, name, NULL);
  GVariantBuilder rows;

  if (operations == NULL)
    return;
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(ssauau)"));
  for (guint i = 0; i < operations->len; i++)
    {
      const LsForeignOperation *at = operations->pdata[i];

      g_variant_builder_add (&rows, "(ss@au@au)", at->name, at->shape, pack_numbers (at->results), pack_numbers (at->operands));
    }
  g_variant_builder_add (functions, "(s@a(ssauau))", name, g_variant_builder_end (&rows));
}

/* module (LLVM IR), functions as -> version s, refused s (LLVM's sentence, or ""), functions a(sa(ssauau)): of each its operations as name, shape,
 * results, operands */
static GVariant *
method_read_foreign (LsRequest  *request,
                     GVariant   *params,
                     GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (GVariant) names = g_variant_lookup_value (params, "functions", G_VARIANT_TYPE_STRING_ARRAY);
  g_autoptr (GError) refused = NULL;
  g_autoptr (LsForeign) module = text != NULL ? ls_foreign_parse (text, &refused) : NULL;
  g_autofree char *version = ls_foreign_llvm_version ();
  GVariantBuilder functions;
  GVariantDict dict;

  if (text == NULL)
    return NULL;
  g_variant_builder_init (&functions, G_VARIANT_TYPE ("a(sa(ssauau))"));
  for (gsize i = 0; module != NULL && names != NULL && i < g_variant_n_children (names); i++)
    {
      const char *name;

      g_variant_get_child (names, i, "&s", &name);
      put_function (&functions, module, name);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "version", "s", version);
  g_variant_dict_insert (&dict, "refused", "s", refused != NULL ? refused->message : "");
  g_variant_dict_insert_value (&dict, "functions", g_variant_builder_end (&functions));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_foreign[] = {
  { "read-foreign", method_read_foreign, "Functions of a text of LLVM, as LLVM reads them." },
  { "run-foreign", method_run_foreign, "A function of a module of LLVM, compiled as it stands: its time and its result." },
  { "step-foreign", method_step_foreign, "A module of LLVM after each pass of a pipeline." },
  { NULL, NULL, NULL },
};
