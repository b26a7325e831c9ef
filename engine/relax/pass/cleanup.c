/* cleanup: what several passes end with, CanonicalizeBindings and DeadCodeElimination. */
#include "engine/relax/pass/pass.h"

LsModule *
ls_relax_pass_clean_up (LsModule  *module,
                        GError   **error)
{
  g_autoptr (LsModule) canonical = ls_relax_pass_canonicalize_bindings (module, NULL, error);

  return canonical != NULL ? ls_relax_pass_dead_code_elimination (canonical, NULL, error) : NULL;
}
