/* nest-link: which loop of one nest became which of another, and in which words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ids of LsLoopItems: the row on the left and the row on the right. */
typedef struct {
  guint64  before;
  guint64  after;
  gboolean copy;                /* the left one stays beside it */
} LsNestLink;

/* What happened, in words, at its ribbon: "j", "split", "32 × 4". */
typedef struct {
  guint64  before;              /* row on the left, or 0 */
  guint64  after;               /* row on the right, or 0 */
  char    *head;
  char    *verb;                /* shown bold */
  char    *tail;
  guint    step;                /* that did it; 0: unknown */
} LsNestLabel;

void ls_nest_label_free  (LsNestLabel *self);

G_END_DECLS
