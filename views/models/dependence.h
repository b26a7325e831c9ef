/* dependence: what has to come after what, for the selected loop or block.
 *
 * Arrows go between rows of the loop nest; rounds are the first rounds of the selected loop (and of the loop directly in
 * it) with the edges between them.  Both say themselves in words too.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_NEEDS_RAW = 1 << 0,        /* reads what the other wrote */
  LS_NEEDS_WAW = 1 << 1,        /* writes over it */
  LS_NEEDS_WAR = 1 << 2,        /* writes over what the other read */
} LsNeeds;

typedef struct {
  guint64 from;                 /* row ids */
  guint64 to;
  guint   needs;                /* of LsNeeds */
  char   *words;                /* "C after Y: RAW on Y" */
} LsArrow;

/* Rounds are numbered outer * n_inner + inner. */
typedef struct {
  guint   from;
  guint   to;
  LsNeeds needs;
} LsRoundArrow;

typedef struct {
  char   *outer;                /* names of the loops */
  char   *inner;                /* or NULL */
  guint   n_outer;
  guint   n_inner;
  gint64  extent_outer;         /* -1: not known */
  gint64  extent_inner;
  GArray *arrows;               /* of LsRoundArrow */
  char   *words;                /* one sentence: can its rounds run in any order */
} LsRounds;

typedef struct {
  GPtrArray *arrows;            /* of LsArrow */
  LsRounds  *rounds;            /* NULL for a block */
} LsDependences;

LsDependences *ls_dependences_new  (void);
void           ls_dependences_free (LsDependences *self);
void           ls_dependences_add  (LsDependences *self,
                                    guint64        from,
                                    guint64        to,
                                    guint          needs,
                                    const char    *words);
/* An empty one of the dependences. Borrowed. */
LsRounds      *ls_dependences_add_rounds (LsDependences *self);
/* "RAW", "RAW and WAW". (transfer full) */
char          *ls_needs_words      (guint          needs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDependences, ls_dependences_free)

G_END_DECLS
