/* Normalize: arguments that are no leaves get bindings of their own; neighbouring blocks of one kind are joined. */
#include "engine/relax/block-builder.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsNode *
normalize_function (LsRelaxMutator *self,
                    LsFunction     *func)
{
  return ls_block_builder_normalize (self->builder, func);
}

LsModule *
ls_relax_pass_normalize (LsModule  *module,
                         LsMap     *args,
                         GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .function = normalize_function };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
