/* relax/well-formed: is a Relax program one that passes may work on?  Says everything that is wrong. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* Findings (errors) by code:
 *   relax/undefined     a variable, symbolic variable or function is used that nothing before it brings
 *   relax/redefined     a variable is bound twice
 *   relax/dataflow      a variable of a dataflow block is used outside; a branch or an effect inside
 *   relax/purity        a function that is said to be pure has effects
 *   relax/normal-form   something that is no leaf stands as an argument, condition or result
 *   relax/type          a value does not fit the struct info of its variable, or an argument the function that is called
 *   relax/symbol        a function's global_symbol is not its name in the module
 * TRUE when there is none.  PrimFuncs are not looked into. */
gboolean ls_relax_verify_module (LsModule      *module,
                                 LsDiagnostics *findings);

/* The same for one function; functions of a module that it names are not looked for. */
gboolean ls_relax_verify_function (LsFunction    *func,
                                   LsDiagnostics *findings);

G_END_DECLS
