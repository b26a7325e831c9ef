/* group: bindings of dataflow blocks moved into functions of their own (TVM's OperatorFusor).
 *
 * Each variable belongs to a group; groups are united like sets.  A group that has attributes or more than one member
 * becomes a private function with them and Primitive = 1, called where its last binding stood.  What other groups need of
 * it is its result, or a field of it.
 */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct _LsVarGroup LsVarGroup;
typedef struct _LsGrouping LsGrouping;

struct _LsVarGroup {
  LsVarGroup *parent;           /* NULL: a root */
  int         n;                /* variables in it */
  LsMap      *attrs;            /* of the function, or NULL */
  GPtrArray  *vars;             /* that were put to this one (borrowed) */
};

LsGrouping *ls_grouping_new       (void);
void        ls_grouping_free      (LsGrouping *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGrouping, ls_grouping_free)
gboolean    ls_grouping_has       (LsGrouping *self,
                                   LsRelaxVar *var);
/* The group that a variable was given first, made when it is new: a group of one. Borrowed. */
LsVarGroup *ls_grouping_get       (LsGrouping *self,
                                   LsRelaxVar *var);
/* The variable belongs to this group (again borrowed). */
void        ls_grouping_put       (LsGrouping *self,
                                   LsRelaxVar *var,
                                   LsVarGroup *group);
LsVarGroup *ls_var_group_root     (LsVarGroup *self);
void        ls_var_group_set      (LsVarGroup *self,
                                   const char *name,
                                   gpointer    value);       /* borrowed */
/* The module with the functions made.  Constants become parameters, or stay in the functions.  `entries` (of String, or
 * NULL): only these functions.  NULL with an error: two groups need each other. (transfer full) */
LsModule   *ls_grouping_apply     (LsGrouping *self,
                                   LsModule   *module,
                                   gboolean    lift_constants,
                                   LsArray    *entries,
                                   GError    **error);
/* "dnnl" of "dnnl.conv2d_relu"; NULL with an error when there is no dot. (transfer full) */
char       *ls_codegen_name       (const char *composite,
                                   GError    **error);

G_END_DECLS
