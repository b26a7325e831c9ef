/* text-private: what its files share.
 *
 *   text.c                  the order of the sentences, the summary
 *   teller.c                names, links, lists
 *   text-become.c           split, fused, inlined, copied, created, removed
 *   text-itself.c           kinds, annotations, extents, scopes, what a block computes
 *   text-move.c             where things have gone
 */
#pragma once

#include "engine/schedule/lineage/text.h"

G_BEGIN_DECLS

typedef struct {
  LsLineage *lineage;
  LsVersion *before;
  LsVersion *after;
  GPtrArray *changes;
  gboolean  *fused;             /* by entity after: has been said to be fused */
  gboolean  *spoken;            /* by entity after: split, fused, copied, created... has been said */
} LsTeller;

#define how_bit(how) (1u << (how))
#define ALL_HOW G_MAXUINT

/* ---- teller.c: names, links, lists, sentences ---- */

/* Is `outer` the thing itself or around it? */
gboolean         ls_teller_is_around (LsVersion *version,
                                      gint outer,
                                      gint inner);
/* The first block inside; -1: none. */
gint             ls_teller_block_inside (LsVersion *version,
                                         guint loop);
/* "j_0, j_1" and "32 x 4". (transfer full) */
char             *ls_teller_list_names (LsVersion *version,
                                        GArray *entities);
char             *ls_teller_list_extents (LsVersion *version,
                                          GArray *loops,
                                          const char *separator);
GArray           *ls_teller_list_new (void);
void             ls_teller_list_add (GArray *list,
                                     guint entity);
/* What a thing comes from, and what became of one, by links of these kinds (bits of how_bit). (transfer full) */
GArray           *ls_teller_sources_of (LsTeller *self,
                                        gint after,
                                        guint hows);
GArray           *ls_teller_results_of (LsTeller *self,
                                        gint before,
                                        guint hows);
/* The longest chain of nested things among the results: what the others are copies of. */
GArray           *ls_teller_main_results_of (LsTeller *self,
                                             gint before);
gboolean         ls_teller_list_has (GArray *list,
                                     guint entity);
gboolean         ls_teller_lists_equal (GArray *a,
                                        GArray *b);
/* Adds a change; takes the texts. Returns it, borrowed. */
LsLineageChange  *ls_teller_tell (LsTeller *self,
                                  const char *how,
                                  LsEntityType type,
                                  guint n_things,
                                  char *text,
                                  char *detail);
/* More entities that the change is about. */
void             ls_teller_take_lists (LsLineageChange *change,
                                       GArray *before,
                                       GArray *after);
void             ls_teller_take_pair (LsLineageChange *change,
                                      gint before,
                                      gint after);
/* The block that the printer hides. */
gboolean         ls_teller_is_root (LsEntity *entity);
/* These need no sentence of their own. */
void             ls_teller_mark_spoken (LsTeller *self,
                                        GArray *after);

/* ---- text-become.c ---- */

/* One loop into several. */
void             ls_teller_split (LsTeller *self,
                                  guint before);
/* Several loops into one, or blocks into one. */
void             ls_teller_fused (LsTeller *self,
                                  guint after);
/* "Y -> Y_init, Y_update": the copies, and what the thing itself became when its name changed. */
void             ls_teller_copied (LsTeller *self,
                                   guint before);
/* Runs of new or gone loops in one nest are one sentence; moves *i to the last of them. */
void             ls_teller_alone (LsTeller *self,
                                  LsVersion *version,
                                  const char *how,
                                  guint *i,
                                  const gboolean *alone);

/* ---- text-itself.c ---- */

/* What is different about a thing that lives on. */
void             ls_teller_kind (LsTeller *self,
                                 guint after,
                                 GArray *sources);
void             ls_teller_annotations (LsTeller *self,
                                        guint after,
                                        GArray *sources);
void             ls_teller_loop_itself (LsTeller *self,
                                        guint after,
                                        gint before);
void             ls_teller_buffer_itself (LsTeller *self,
                                          guint after,
                                          gint before);
void             ls_teller_block_itself (LsTeller *self,
                                         guint after,
                                         gint before);

/* ---- text-move.c ---- */

/* Where a thing has gone. */
void             ls_teller_move (LsTeller *self,
                                 guint after);

G_END_DECLS
