/* straighten: lines of a laid out graph that need no bend. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double x, y;                  /* upper left corner */
  double width, height;
} LsLayoutBox;

/* A chain of Bezier curves: the first point, then three for each curve. */
typedef struct {
  double (*points)[2];          /* g_malloc'ed */
  guint    n;                   /* 0: no line */
} LsLayoutCurve;

typedef struct {
  guint          n;
  const guint   *from, *to;     /* of each edge, into `nodes` */
  LsLayoutBox   *nodes;
  LsLayoutCurve *curves;
  LsLayoutBox   *labels;        /* width 0: none */
  double         width;         /* of the whole picture */
  gboolean       left;          /* labels stand left of their lines */
} LsLayoutLines;

/* Makes a line between a node and one that stands right below it straight, when they overlap so far that it can be and
 * when there is room for its label beside it; the label moves there. */
void ls_layout_straighten (LsLayoutLines *self);

G_END_DECLS
