/* text: a lineage in the language of schedules, one sentence for each change.
 *
 *   split       j -> j_0, j_1            extent 128 -> 32 x 4
 *   moved       k out of j_1, now inside j_0
 *   vectorized  j_1
 *
 * What is said is read off the two programs, not off the primitives, so several steps at once and two files whose steps
 * are unknown are told in the same words.  The second and later loops of one name are "j of C" (the first block inside).
 */
#pragma once

#include "engine/schedule/lineage/lineage.h"

G_BEGIN_DECLS

typedef struct {
  const char   *how;            /* "split", "moved", "vectorized", "re-scoped"; a constant */
  LsEntityType  type;           /* of what is spoken of */
  guint         n_things;       /* how many things the sentence is about */
  char         *text;           /* "j -> j_0, j_1" */
  char         *detail;         /* "extent 128 -> 32 x 4", or NULL */
  GArray       *before;         /* of guint: entity numbers, the most telling first */
  GArray       *after;
} LsLineageChange;

void       ls_lineage_change_free (LsLineageChange *self);
/* All changes, in the order of the program after; removals last. (transfer full) of LsLineageChange */
GPtrArray *ls_lineage_describe    (LsLineage       *self);
/* "1 loop split, 2 loops moved; 3 loops, 2 blocks and 4 buffers kept." (transfer full) */
char      *ls_lineage_summarize   (LsLineage       *self,
                                   GPtrArray       *changes);
/* Loops, blocks and buffers that no change speaks of (root blocks not counted). */
guint      ls_lineage_count_kept  (LsLineage       *self,
                                   GPtrArray       *changes,
                                   LsEntityType     type);
/* "j", or "j of C" for the second loop of that name; blocks and buffers by their names. (transfer full) */
char      *ls_version_describe    (LsVersion       *version,
                                   guint            entity);
const char *ls_entity_type_name   (LsEntityType     type);      /* "loop" */

G_END_DECLS
