/* relax/mutator: rewrites Relax expressions, keeping what does not change (TVM's ExprMutator).
 *
 * A pass fills in the functions for what it changes; each gets a borrowed node and returns a new reference (the same
 * node when nothing changed).  Where it has no function, and where its function calls ls_relax_mutator_default, the parts
 * are visited.  New values of bindings are brought into A-normal form through the builder, the struct info of variables
 * follows their new values, and uses follow the variables.
 *
 * For reading alone ls_walk (ir.h) is enough: variables are leaves for it.  analysis.h has the common questions.
 */
#pragma once

#include "engine/relax/block-builder.h"

G_BEGIN_DECLS

typedef struct _LsRelaxMutator LsRelaxMutator;

typedef struct {
  /* Any expression, before the function of its kind. */
  LsNode *(*expr)         (LsRelaxMutator *self, LsNode *expr);
  LsNode *(*call)         (LsRelaxMutator *self, LsRelaxCall *call);
  /* The use of a variable; default: what `vars` has for it. */
  LsNode *(*var)          (LsRelaxMutator *self, LsRelaxVar *var);
  LsNode *(*function)     (LsRelaxMutator *self, LsFunction *func);
  /* VarBinding or MatchCast: emits what takes its place (nothing: it is dropped). */
  void    (*binding)      (LsRelaxMutator *self, LsNode *binding);
  LsNode *(*block)        (LsRelaxMutator *self, LsBindingBlock *block);
  /* A dimension or another expression of TensorIR (PrimValue). */
  LsExpr *(*prim)         (LsRelaxMutator *self, LsExpr *expr);
} LsRelaxMutatorFuncs;

struct _LsRelaxMutator {
  const LsRelaxMutatorFuncs *funcs;
  gpointer        user_data;
  LsBlockBuilder *builder;
  GHashTable     *vars;         /* LsRelaxVar -> LsNode, both kept: what takes the place of a variable */
  GHashTable     *symbols;      /* LsVar -> LsExpr, both kept: what takes the place of a symbolic variable */
  gboolean        renames;      /* the symbols get other names only: nothing to simplify */
  gboolean        renews;       /* every variable that is defined is made anew */
  guint           depth;        /* functions around the place */
};

/* `module` (NULL: none) is what the builder starts from. Free it with ls_relax_mutator_clear. */
void       ls_relax_mutator_init     (LsRelaxMutator            *self,
                                      const LsRelaxMutatorFuncs *funcs,
                                      LsModule                  *module,
                                      gpointer                   user_data);
void       ls_relax_mutator_clear    (LsRelaxMutator *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsRelaxMutator, ls_relax_mutator_clear)

/* The expression through the functions; NULL in, NULL out. (transfer full) */
LsNode    *ls_relax_mutator_visit    (LsRelaxMutator *self,
                                      gpointer        expr);
/* The parts visited, the node rebuilt when one changed. (transfer full) */
LsNode    *ls_relax_mutator_default  (LsRelaxMutator *self,
                                      gpointer        expr);
/* The struct info with its dimensions and variables visited. (transfer full) */
LsStructInfo *ls_relax_mutator_visit_info (LsRelaxMutator *self,
                                      LsStructInfo   *info);
/* The variable at its definition: another one of the same name when its struct info changes, noted in `vars`. (transfer full) */
LsRelaxVar *ls_relax_mutator_define  (LsRelaxMutator *self,
                                      LsRelaxVar     *var);
/* Emits what takes the place of a binding, and visits all bindings of a block into a new block. */
void       ls_relax_mutator_default_binding (LsRelaxMutator *self,
                                      LsNode         *binding);
LsNode    *ls_relax_mutator_default_block   (LsRelaxMutator *self,
                                      LsBindingBlock *block);
/* Emits `binding` with another value (borrowed; not visited again). */
void       ls_relax_mutator_rebind   (LsRelaxMutator *self,
                                      LsVarBinding   *binding,
                                      LsNode         *value);
/* What now stands for a variable, in tuples of variables too; another expression as it is. (transfer full) */
LsNode    *ls_relax_mutator_current  (LsRelaxMutator *self,
                                      LsNode         *expr);
/* Uses of `var` become `with` from now on. */
void       ls_relax_mutator_replace  (LsRelaxMutator *self,
                                      LsRelaxVar     *var,
                                      gpointer        with);
/* What a variable of the result was bound to, or NULL. Borrowed. */
LsNode    *ls_relax_mutator_lookup   (LsRelaxMutator *self,
                                      gpointer        var);

/* The module with what the builder has; NULL with the builder's error. (transfer full) */
LsModule  *ls_relax_mutator_finish   (LsRelaxMutator *self,
                                      GError        **error);

/* One call of the above: every relax Function of the module visited. (transfer full); NULL with an error. */
LsModule  *ls_relax_mutate_module    (LsModule                  *module,
                                      const LsRelaxMutatorFuncs *funcs,
                                      gpointer                   user_data,
                                      GError                   **error);
/* The same with the functions in the order of their names, where names of new functions follow from it. */
LsModule  *ls_relax_mutate_module_by_name (LsModule                  *module,
                                           const LsRelaxMutatorFuncs *funcs,
                                           gpointer                   user_data,
                                           GError                   **error);
/* Replaces Relax variables (LsRelaxVar -> LsNode) and symbolic ones (LsVar -> LsExpr, results simplified) everywhere in an
 * expression or struct info; either table may be NULL.  Variables whose struct info changes by it are made anew.
 * (transfer full) */
LsNode    *ls_relax_bind             (gpointer    node,
                                      GHashTable *vars,
                                      GHashTable *symbols);
/* A copy with variables of its own, parameters and symbolic variables included. (transfer full) */
LsFunction *ls_relax_copy_function   (LsFunction *func);

G_END_DECLS
