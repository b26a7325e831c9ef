/* What the files of the Compare page share: view.c (what is shown), view-shape.c (where it has room), view-picture.c (the ribbons as a file). */
#pragma once

#include "views/compare/view.h"

G_BEGIN_DECLS

#define UPPER_HEIGHT 400
#define COUNT_GAP 6             /* between two of the counts */

struct _LsCompareView
{
  GtkWidget     parent_instance;

  LsSession    *session;
  LsComparison *comparison;
  GCancellable *asking;         /* of the comparison that is being made, or NULL */
  GListStore   *files;          /* the item of the file, when there is one */
  guint         left;
  guint         right;
  gboolean      chosen;         /* by the user, so it stays when the current step changes */
  gboolean      syncing;
  gboolean      entered;        /* the page was just opened */
  gboolean      without;        /* the session has no comparison of what was asked for */
  gboolean      narrow;
  gboolean      cramped;        /* and no room for two things beside each other */
  GtkWidget    *head;           /* two boxes, beside or over each other */
  guint         rest;           /* tick that shows texts and results, or 0 */
  guint         playing;        /* timeout */
  guint         play_end;       /* where it stops */

  GtkWidget    *stack;
  GtkWidget    *sides[2];       /* drop-downs */
  GtkWidget    *distance;
  GtkWidget    *title;
  GtkWidget    *counts;
  GtkWidget    *play_words;
  GtkWidget    *play;
  GtkWidget    *canvas;
  GtkWidget    *time;
  GtkWidget    *results;
  GtkWidget    *figures;        /* both of them */
  GtkWidget    *samples;        /* how many were taken */
  GtkWidget    *again;
  GtkWidget    *ribbons;        /* scrolls the canvas */
  GtkWidget    *upper;
  GtkWidget    *halves;
  int           set_position;   /* last one that we gave the divider between them */
  GtkWidget    *texts;
};

/* ---- view-shape.c ---- */

/* Beside each other where there is room; below each other where not. */
void ls_compare_view_arrange    (LsCompareView *self);
/* Once it is laid out the ribbons get their height, and the words of the head their widths. */
void ls_compare_view_share_soon (LsCompareView *self);

G_END_DECLS
