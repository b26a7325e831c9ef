/* reading: see the header. */
#include "engine/codegen/reading/reading.h"

#include "engine/codegen/numpy/numpy.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

static LsDeviceText *
write_c (LsModule   *module,
         const char *func,
         GError    **error)
{
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (LsModule) one = NULL;

  if (func != NULL)
    {
      g_autoptr (LsModule) empty = ls_module_new (ls_array_empty (), ls_array_empty (), NULL, NULL);

      one = ls_module_with (empty, func, ls_module_get (module, func));
    }
  lowered = ls_lower_module (one != NULL ? one : module, NULL, NULL, error);
  return lowered != NULL ? ls_c_text_new (lowered, error) : NULL;
}

static LsDeviceText *
write_kernels (LsModule   *module,
               const char *func,
               const char *target_text,
               GError    **error)
{
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse (target_text, error);
  const char *name = func != NULL ? func : module->functions->n == 1 ? ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint : "main";
  LsNode *node = ls_module_get (module, name);
  g_autoptr (LsPrimFunc) lowered = NULL;

  if (target == NULL)
    return NULL;
  if (!ls_is (node, PRIM_FUNC))
    {
      g_set_error (error, LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, ls_translate ("The module has no function %s of TensorIR."), name);
      return NULL;
    }
  lowered = ls_lower_device ((LsPrimFunc *) node, target, NULL, NULL, error);
  return lowered != NULL ? ls_device_text_new (name, lowered, target, error) : NULL;
}

LsDeviceText *
ls_reading_new (LsModule    *module,
                const char  *func,
                const char  *language,
                GError     **error)
{
  if (func != NULL && ls_module_get (module, func) == NULL)
    {
      g_set_error (error, LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, ls_translate ("The module has no function %s."), func);
      return NULL;
    }
  if (strcmp (language, "numpy") == 0)
    return ls_numpy_text_new (module, func, error);
  return strcmp (language, "c") == 0 ? write_c (module, func, error) : write_kernels (module, func, language, error);
}
