/* group-private: a function that is made of bindings. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct {
  gboolean    lift_constants;
  GString    *name;             /* fused_CALLEE_CALLEE */
  GPtrArray  *bindings;         /* borrowed */
  GPtrArray  *args;             /* what the caller hands over (references) */
  GPtrArray  *params;           /* for each its parameter (references) */
  GPtrArray  *outputs;          /* variables of the caller that are results (borrowed) */
  GHashTable *defined;          /* variables that the bindings bind */
  GHashTable *fields;           /* a tuple among the args -> GArray of indices: only these fields of it are read */
  guint       n_unnamed;
  LsFunction *function;         /* NULL: nobody reads a result */
} LsGroupMaker;

LsGroupMaker *ls_group_maker_new        (gboolean      lift_constants);
void          ls_group_maker_free       (LsGroupMaker *self);
void          ls_group_maker_add        (LsGroupMaker *self,
                                         LsNode       *binding);
void          ls_group_maker_add_output (LsGroupMaker *self,
                                         LsRelaxVar   *var);
/* Makes the function, with these attributes (or NULL) and Primitive = 1. */
void          ls_group_maker_finish     (LsGroupMaker *self,
                                         LsMap        *attrs);

G_END_DECLS
