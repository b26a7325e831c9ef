/* LsWhy: what holds the shown step back, beside another step: sentences and figures, as the page shows them.
 *
 * What is not known has a sentence that says why, and where something can be done about it the name of the action that does.
 */
#pragma once

#include "views/models/step-item.h"

G_BEGIN_DECLS

/* A part of the page. */
typedef struct {
  GPtrArray  *rows;             /* of GStrv: the heads, then a row each, all of the same length; none: there is no table */
  char       *words;            /* below the table: what it is of; or why there is none */
  gboolean    busy;             /* it is being worked out */
} LsWhyTable;

typedef enum {
  LS_WHY_COUNTS,
  LS_WHY_CACHES,
  LS_WHY_CODE,
  LS_WHY_N_TABLES
} LsWhyTableId;

enum { LS_WHY_BESIDE, LS_WHY_SHOWN, LS_WHY_N_SIDES };

typedef struct {
  LsStepItem *items[LS_WHY_N_SIDES]; /* beside: NULL at the first step */
  char       *whose;            /* with a device chosen: which figures are its and which are this machine's; NULL: all are this machine's */
  char       *times;            /* below the times: whose they are, or NULL */
  char       *sizes;            /* symbolic sizes of the program, as far as they are known: "n=256 m="; NULL: it has none */
  char       *bound;            /* what holds the shown step, a few words: "bandwidth of L2"; NULL: not known */
  char       *sentence;         /* the evidence, or why it is not known */
  char       *next;             /* what would hold it then, or NULL */
  char       *beside;           /* the verdict of the other step, or NULL */
  double      shares[LS_WHY_N_SIDES]; /* of the roof that is reached, 0 to 1; below 0: unknown */
  char       *share;            /* that of the shown step in words, or NULL */
  char       *missing;          /* what is needed to know more, or NULL */
  char       *button;           /* gets it, or NULL */
  const char *action;           /* of that button; static */
  LsWhyTable  tables[LS_WHY_N_TABLES];
} LsWhy;

LsWhy *ls_why_new       (void);
void   ls_why_free      (LsWhy      *self);
/* Another row; takes its cells, which end with NULL. */
void   ls_why_add_row   (LsWhyTable *table,
                         char      **cells);
/* "16,640 → 1,040", or one of them where the other is NULL or the same; takes both. (transfer full) */
char  *ls_why_both      (char       *beside,
                         char       *shown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsWhy, ls_why_free)

G_END_DECLS
