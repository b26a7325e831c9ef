/* The method debug-vm: a run of the virtual machine under the debugger, written down and kept in this process between calls.
 *
 * The module becomes an executable as `build` makes one, its compiled functions are those of a real run.  With `plan` its memory is planned before
 * (StaticPlanBlockMemory), else by the machine while it runs.
 */
#include "app/worker/debugged.h"
#include "app/worker/program.h"

#include "engine/codegen/vm-build.h"
#include "engine/debug/vm.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

/* What a build runs before it plans memory, and the plan. */
static const char *const PLAN[] = { "LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", NULL };

static LsDebugVM *debug;
static LsKernel *kernel;
static LsVM *machine;

static void
forget (void)
{
  g_clear_pointer (&debug, ls_debug_vm_free);
  g_clear_pointer (&machine, ls_vm_free);
  g_clear_pointer (&kernel, ls_kernel_free);
}

/* (transfer full); takes the module. NULL with an error. */
static LsModule *
run_passes (LsModule           *module,
            const char *const  *names,
            GError            **error)
{
  g_autoptr (LsModule) at = module;

  for (guint i = 0; at != NULL && names != NULL && names[i] != NULL; i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (names[i], error);
      g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, error) : NULL;

      ls_take (&at, args != NULL ? ls_relax_pass_run (pass, at, args, error) : NULL);
    }
  return g_steal_pointer (&at);
}

static LsFunction *
find_function (LsModule    *module,
               const char  *name,
               GError     **error)
{
  LsNode *found = ls_module_get (module, name);

  if (ls_is (found, FUNCTION))
    return (LsFunction *) found;
  ls_worker_refuse (error, "The module has no function of Relax named %s.", name);
  return NULL;
}

/* The arguments of the function as it was written: passes may have put other ones into its shapes. (transfer full) */
static GPtrArray *
arguments (LsModule             *module,
           const char           *name,
           const LsDebugInputs  *inputs,
           GError              **error)
{
  g_autoptr (LsModule) bound = ls_debug_bind_symbols (module, inputs, error);
  LsFunction *func = bound != NULL ? find_function (bound, name, error) : NULL;

  return func != NULL ? ls_debug_vm_arguments (func, inputs, error) : NULL;
}

static gboolean
start_machine (LsModule    *module,
               gboolean     as_is,
               LsVMExecutable **executable,
               GError     **error)
{
  LsVMBuildOptions options = { .as_is = as_is };
  g_autoptr (LsTarget) target = ls_target_parse (NULL, error);
  LsJit *jit = target != NULL ? ls_program_jit (error) : NULL;

  *executable = jit != NULL ? ls_vm_build (module, target, &options, error) : NULL;
  kernel = *executable != NULL ? ls_vm_link (jit, *executable, error) : NULL;
  if (*executable == NULL || (kernel == NULL && (*executable)->code != NULL))
    return FALSE;
  machine = ls_vm_new (*executable, ls_vm_resolve_kernel, kernel, error);
  return machine != NULL;
}

static gboolean
open_run (GVariant  *params,
          GError   **error)
{
  const char *text = ls_params_require_string (params, "module", error), *func = ls_params_string (params, "func", "main");
  g_autoptr (LsModule) module = text != NULL ? ls_worker_debugged (text, 0, error) : NULL;
  g_auto (GStrv) set = ls_params_strv (params, "set");
  g_auto (GStrv) files = ls_params_strv (params, "inputs");
  g_auto (GStrv) passes = ls_params_strv (params, "passes");
  gboolean plan = ls_params_bool (params, "plan", FALSE), as_is = plan || (passes != NULL && passes[0] != NULL);
  LsDebugInputs inputs = { (const char *const *) files, (const char *const *) set, (guint64) ls_params_int (params, "seed", 0) };
  g_autoptr (LsVMExecutable) executable = NULL;
  g_autoptr (GPtrArray) args = NULL;
  g_autoptr (LsModule) changed = NULL;

  forget ();
  args = module != NULL ? arguments (module, func, &inputs, error) : NULL;
  changed = args != NULL ? run_passes (ls_ref (module), (const char *const *) passes, error) : NULL;
  if (changed != NULL && plan)
    ls_take (&changed, run_passes (ls_ref (changed), PLAN, error));
  if (changed == NULL || !start_machine (changed, as_is, &executable, error))
    return FALSE;
  debug = ls_debug_vm_new (machine, executable, func, (LsVMValue **) args->pdata, args->len, error);
  return debug != NULL;
}

/* What the window shows beside an answer. */
static void
add_more (GVariantDict *dict,
          GVariant     *params)
{
  const char *grid = ls_params_string (params, "grid", NULL);
  g_autofree char *words = grid != NULL ? g_strconcat ("grid ", grid, NULL) : NULL;
  g_autoptr (GVariant) shown = words != NULL ? ls_debug_vm_command (debug, words, NULL) : NULL;
  g_autoptr (GVariant) memory = ls_params_bool (params, "memory", FALSE) ? ls_debug_vm_command (debug, "storages", NULL) : NULL;
  g_autoptr (GVariant) storages = memory != NULL ? ls_params_value (memory, "storages") : NULL;

  if (shown != NULL)
    g_variant_dict_insert_value (dict, "grid", shown);
  if (storages != NULL)
    g_variant_dict_insert_value (dict, "storages", storages);
}

/* module, func, seed, set, inputs (paths), passes, plan: builds, runs and writes down -> list (its instructions), and what is seen at the begin.
 * command -> its answer, with grid ("r5 [0]") that register as a grid, with memory all blocks. */
static GVariant *
method_vm (LsRequest  *request,
           GVariant   *params,
           GError    **error)
{
  const char *command = ls_params_string (params, "command", NULL);
  g_autoptr (GVariant) answer = NULL;
  GVariantDict dict;

  if (command == NULL && !open_run (params, error))
    return ls_worker_asks (params, error);
  if (debug == NULL)
    {
      ls_worker_refuse (error, "Nothing was run.");
      return NULL;
    }
  answer = ls_debug_vm_command (debug, command != NULL ? command : "where", error);
  if (answer == NULL)
    return NULL;
  g_variant_dict_init (&dict, answer);
  if (command == NULL)
    {
      g_autoptr (GVariant) told = ls_debug_vm_command (debug, "list", NULL);
      g_autoptr (GVariant) list = ls_params_value (told, "list");

      g_variant_dict_insert_value (&dict, "list", list);
    }
  add_more (&dict, params);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_debug_vm[] = {
  { "debug-vm", method_vm, "Runs a function of Relax in the virtual machine, instruction by instruction." },
  { NULL, NULL, NULL },
};
