/* What the files of the history share: history.c (the tree), history-copy.c (copies of it), history-edit.c (a step with
 * another text). */
#pragma once

#include "app/session/history.h"

G_BEGIN_DECLS

struct _LsHistory
{
  GPtrArray *nodes;             /* of LsHistoryNode */
  GPtrArray *branches;          /* names, char * */
  gboolean   lone;
  guint      n_namings;         /* given away so far */
  gboolean   strict;
  gboolean   strict_default;    /* when `strict` was set */
  gboolean   is_copy;           /* its schedules are those of another one, that another thread may be changing */
};

/* A GDestroyNotify; NULL is none. */
void           ls_history_node_free    (gpointer       node);
/* A number for a naming that nobody has yet. */
guint          ls_history_new_naming   (LsHistory     *self);
/* The node of a step that was done: the last one of `schedule`; `call` and `name` where that has none. */
LsHistoryNode *ls_history_put_done     (LsHistory     *self,
                                        guint          parent,
                                        LsSchedule    *schedule,
                                        const char    *call,
                                        const char    *name);
/* The node of a step that could not be done: keeps its text. */
LsHistoryNode *ls_history_put_dead     (LsHistory     *self,
                                        guint          parent,
                                        const char    *lines,
                                        const char    *call,
                                        const char    *name);
/* What a naming of its own says is kept, whether the step can be done or not. */
void           ls_history_keep_lines   (LsHistoryNode *node,
                                        guint          naming,
                                        const char    *lines);
/* The first warning, if there is one. */
void           ls_history_keep_warning (LsHistoryNode *node,
                                        LsDiagnostics *diagnostics);
/* The first error, which there is. */
void           ls_history_keep_refusal (LsHistoryNode *node,
                                        LsDiagnostics *diagnostics);

G_END_DECLS
