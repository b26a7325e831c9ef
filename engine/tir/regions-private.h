/* regions-private: domains of variables while a condition holds (condition-scope.c), and accesses among visible buffers. */
#pragma once

#include "engine/tir/regions.h"

G_BEGIN_DECLS

/* Domains of loop variables (these are relaxed) and of others (hints), narrowed in nested scopes. */
typedef struct {
  LsDomMap  *dom;
  LsDomMap  *hints;
  GPtrArray *saved;             /* of the domains that each scope changed */
} LsConditionScope;

void ls_condition_scope_init  (LsConditionScope *self);
void ls_condition_scope_clear (LsConditionScope *self);
/* Narrows the domains by what the condition says, if that can be said by ranges alone; FALSE: it cannot.  Either way it has to be left. */
gboolean ls_condition_scope_enter (LsConditionScope *self,
                                   LsExpr           *condition);
void ls_condition_scope_leave (LsConditionScope *self);

/* ls_block_access_region_visible() with the buffers in a table (data LsVar -> LsBuffer), which stays as it is. */
void ls_block_access_region_in (LsBlock     *block,
                                GHashTable  *visible,
                                LsArray    **reads,
                                LsArray    **writes,
                                LsArray    **opaques);

G_END_DECLS
