/* session/module: what the views show of one node of the history: loop nest and texts. */
#pragma once

#include "app/session/history.h"
#include "views/models/loop-item.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

/* Ids that rows and spans carry: lineage id plus one. */
#define LS_ROW_ID(entity) ((guint64) (entity)->id + 1)

/* Roots of the loop nest after node `id`, (transfer full) of LsLoopItem. `flop` gets the sum of the module's operations,
 * 0 when unknown. */
GPtrArray    *ls_session_build_loops  (LsHistory  *history,
                                       guint       id,
                                       double     *flop);

/* What the functions of a module cost, worked out ahead: may be made in another thread, to be kept in the main thread, where
 * the loop nest finds it.  Nothing for a module of many functions. */
typedef struct {
  LsModule  *module;
  GPtrArray *tables;            /* of LsCostTable or NULL, by function */
} LsModuleCosts;

LsModuleCosts *ls_module_costs_new    (LsModule      *module);
void           ls_module_costs_free   (LsModuleCosts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsModuleCosts, ls_module_costs_free)
/* Gives the tables away. */
void           ls_module_costs_keep   (LsModuleCosts *self);
/* The rows as ls_session_build_loops() makes them, from the costs of the module after node `id`: for another thread, which must
 * not look at what the main thread keeps. (transfer full) */
GPtrArray     *ls_session_build_loops_from (LsHistory     *history,
                                            guint          id,
                                            LsModuleCosts *costs,
                                            double        *flop);

/* The printed module after node `id` with its source map; lines that the node's step made carry its number. */
LsScriptText *ls_session_build_text   (LsHistory  *history,
                                       guint       id);

/* Entity with this row id in the program after node `id`, or NULL. Borrowed. */
LsEntity     *ls_session_find_entity  (LsHistory  *history,
                                       guint       id,
                                       guint64     row);

G_END_DECLS
