/* reduce-private: what the parts of the reducer share. */
#pragma once

#include "engine/script/reduce.h"
#include "engine/ir/ir.h"

G_BEGIN_DECLS

typedef struct {
  char        *text;
  guint64      weight;
  LsReduceTest test;
  LsReduceNews news;
  gpointer     user_data;
  GHashTable  *seen;            /* texts that were asked about */
  guint        n_tried;
  GError      *error;
} LsReducer;

/* ---- reduce-candidate.c ---- */

/* The program that holds so far, as it is printed. */
const char *ls_reducer_text   (LsReducer   *self);
/* Reads, verifies, prints and asks about it; TRUE: it holds and takes the place. */
gboolean    ls_reducer_try    (LsReducer   *self,
                               const char  *candidate);
gboolean    ls_reducer_failed (LsReducer   *self);
/* The module of a text, verified; `only`: the function that the text is, where it is one.  NULL: it is not well formed. (transfer full) */
LsModule   *ls_reducer_read   (const char  *text,
                               LsNode     **only);
char       *ls_reducer_print  (LsModule    *module,
                               LsNode      *only);

/* Bytes first, numbers then: 16 to 8 is no shorter text and yet smaller.  Every step makes it less, so there is an end. */
guint64     ls_reducer_weigh  (const char  *text);

/* One round of each kind; TRUE when something became smaller. */
gboolean    ls_reduce_lines   (LsReducer   *self);      /* reduce-lines.c */
gboolean    ls_reduce_words   (LsReducer   *self);      /* reduce-words.c */
gboolean    ls_reduce_exprs   (LsReducer   *self);      /* reduce-exprs.c */

G_END_DECLS
