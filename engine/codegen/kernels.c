/* kernels: all kernels of a function, split from the host's part, through LLVM. */
#include "engine/codegen/c/text.h"
#include "engine/codegen/codegen-private.h"
#include "engine/ir/functions.h"

#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include <string.h>

/* Is it one of those that LLVM 19 has? */
static gboolean
is_known (const char *arch)
{
  static const char *const KNOWN[] = { "sm_30", "sm_32", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75",
                                       "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", NULL };

  return g_strv_contains (KNOWN, arch);
}

/* Does LLVM know this processor? It only warns on standard error about one that it does not. */
static gboolean
check_arch (const char *triple,
            const char *arch,
            GError    **error)
{
  gboolean nvidia = g_str_has_prefix (triple, "nvptx");
  const char *at = arch + (g_str_has_prefix (arch, nvidia ? "sm_" : "gfx") ? 3 : 0);
  LLVMTargetRef found = NULL;
  char *message = NULL;

  ls_llvm_init_all ();
  if (LLVMGetTargetFromTriple (triple, &found, &message))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("This LLVM makes no code for %s: %s"), triple, message);
      LLVMDisposeMessage (message);
      return FALSE;
    }
  if (at == arch || !g_ascii_isdigit (*at) || strspn (at, "0123456789abcdef") != strlen (at))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("\"%s\" is no architecture; %s is one."), arch, nvidia ? "sm_80" : "gfx90a");
      return FALSE;
    }
  if (nvidia && g_ascii_strtoull (at, NULL, 10) < 30)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("%s is too old: 64-bit kernels through LLVM begin with sm_30."), arch);
      return FALSE;
    }
  if (nvidia && LLVM_VERSION_MAJOR < 20 && !is_known (arch))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("LLVM %d knows no %s; the newest that it makes PTX for is sm_90a."), LLVM_VERSION_MAJOR, arch);
      return FALSE;
    }
  return TRUE;
}

/* The kernels of a module alone. (transfer full) */
static LsModule *
only_kernels (LsModule   *split,
              const char *host)
{
  g_autoptr (LsModule) none = ls_module_new (ls_array_empty (), ls_array_empty (), NULL, NULL);
  LsModuleBuilder *builder = ls_module_builder_new (none);

  for (guint i = 0; i < split->functions->n; i++)
    {
      const char *name = ls_array_at (split->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (split->functions->items[i], PRIM_FUNC) || strcmp (name, host) == 0)
        continue;
      ls_module_builder_put (builder, name, split->functions->items[i]);
    }
  return ls_module_builder_finish (builder);
}

LsObject *
ls_codegen_kernels (const char            *name,
                    LsPrimFunc            *lowered,
                    const LsDeviceTarget  *target,
                    GError               **error)
{
  gboolean nvidia = strcmp (target->kind, "cuda") == 0 || strcmp (target->kind, "nvptx") == 0;
  char *triple = nvidia ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
  g_autoptr (LsModule) split = NULL;
  g_autoptr (LsModule) kernels = NULL;
  LsTarget machine = { .text = target->text, .cpu = target->arch, .triple = triple, .opt_level = 2, .vector_bits = 128, .is_device = TRUE };
  LsCodegenOptions options = { .no_object = nvidia, .want_asm = TRUE, .want_ir = TRUE };

  if (!nvidia && strcmp (target->kind, "rocm") != 0)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("For %s no assembly is made here, only for cuda, nvptx and rocm."), target->kind);
      return NULL;
    }
  if (!check_arch (triple, target->arch, error))
    return NULL;
  /* activemask is of PTX 6.2, mma and ldmatrix are of 6.5; what LLVM takes for sm_70 is 6.0, for sm_75 6.3 */
  machine.features = nvidia && g_ascii_strtoull (target->arch + 3, NULL, 10) < 75 ? "+ptx63" : nvidia && g_ascii_strtoull (target->arch + 3, NULL, 10) < 80 ? "+ptx65" : "";
  split = ls_device_split (name, lowered, error);
  if (split == NULL)
    return NULL;
  kernels = only_kernels (split, name);
  if (kernels->functions->n == 0)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_UNSUPPORTED, ls_translate ("%s has no loop that is bound to threads."), name);
      return NULL;
    }
  for (guint i = 0; i < kernels->functions->n; i++)
    if (!ls_check_static_shared (ls_array_at (kernels->global_vars, i, LsGlobalVar)->name_hint, ls_array_at (kernels->functions, i, LsPrimFunc), target, error))
      return NULL;
  return ls_codegen_compile (kernels, NULL, &machine, &options, error);
}
