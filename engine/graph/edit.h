/* edit: a graph of Relax rewritten by hand: calls that are selected become one function, or a call of another one, or a module of their own.
 *
 * Calls are named as the graph names them.  What may be done is asked first and answered with every condition that does not hold, and the way out
 * where there is one.  An edit is written like a pass, so that it is a step like any other:
 *
 *   FuseThese(["lv0", "lv1"], func="main")
 *   ReplaceBy(["lv0", "lv1"], "env.linear", func="main")
 *   ReplaceBy(["lv0"], "mine", func="main", source="@T.prim_func\n...") */
#pragma once

#include "engine/graph/graph.h"
#include "engine/script/pass-text.h"

G_BEGIN_DECLS

/* Why an edit cannot be done. */
typedef struct {
  GPtrArray *reasons;           /* of char *: sentences, each with the way out where there is one; none: it can be done */
  GPtrArray *with;              /* of char *: what has to be selected too; none: that would not help */
} LsGraphEditCheck;

/* May these calls of `func` become one?  They stand in one dataflow block, each is a call, and nothing that one of them needs lies between two of
 * them outside of the selection. (transfer full) */
LsGraphEditCheck *ls_graph_edit_check   (LsModule               *module,
                                         const char             *func,
                                         const char *const      *names);
void              ls_graph_edit_check_free (LsGraphEditCheck    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphEditCheck, ls_graph_edit_check_free)

/* The calls moved into a private function with Primitive = 1, which is called in the place of the last one: what FuseOps does of its own accord.
 * NULL with the reasons. (transfer full) */
LsModule         *ls_graph_edit_fuse    (LsModule               *module,
                                         const char             *func,
                                         const char *const      *names,
                                         GError                **error);
/* A call of `by` in their place: call_tir where it is a PrimFunc of the module (or of the text `source`, or NULL), else call_dps_packed of a function
 * that the running program has.  It is given what the calls are given, in the order in which they use it, then where the results go; shapes and
 * types of a PrimFunc have to fit.  NULL with the reasons. (transfer full) */
LsModule         *ls_graph_edit_replace (LsModule               *module,
                                         const char             *func,
                                         const char *const      *names,
                                         const char             *by,
                                         const char             *source,
                                         GError                **error);
/* What is to be known before `by` takes the place of a call of this module: it is no PrimFunc of it, and the program that runs it has no such function.  The call
 * can be put there all the same, for a program that has one.  NULL: it is known. (transfer full) */
char             *ls_graph_edit_doubt   (LsModule               *module,
                                         const char             *by);
/* The same of an edit written as a text; NULL also where it is none, or brings its function. (transfer full) */
char             *ls_graph_edit_doubt_of (LsModule              *module,
                                          const char            *text);
/* The calls as the function main of a module of their own; its parameters are what they are given.  NULL with the reasons. (transfer full) */
LsModule         *ls_graph_edit_extract (LsModule               *module,
                                         const char             *func,
                                         const char *const      *names,
                                         GError                **error);

/* Is it the name of an edit? */
gboolean          ls_graph_edit_is      (const char             *name);
/* What such a call says. (transfer full) */
LsModule         *ls_graph_edit_run     (LsModule               *module,
                                         const LsPassText       *call,
                                         GError                **error);
/* The call as a text; `by` and `source` may be NULL. (transfer full) */
char             *ls_graph_edit_text    (const char             *func,
                                         const char *const      *names,
                                         const char             *by,
                                         const char             *source);
/* A call of any kind as a title: of ls_graph_edit_text() without the text of the function, which stands in it whole. (transfer full) */
char             *ls_graph_edit_title   (const char             *call);

G_END_DECLS
