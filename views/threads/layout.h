/* threads/layout: which thread and register, or which bank of shared memory, has which element: read, in words, and drawn. */
#pragma once

#include "views/canvas/figure.h"
#include "views/threads/model.h"

G_BEGIN_DECLS

typedef enum { LS_THREADS_LANES_OF, LS_THREADS_BANKS_OF, LS_THREADS_REGISTERS_OF, LS_THREADS_STAGED_IN } LsThreadsLayoutKind;

#define LS_THREADS_NOWHERE G_MAXUINT32

/* Where the elements of a buffer are (engine/simt/layout.h). */
typedef struct {
  LsThreadsLayoutKind kind;
  char     *buffer, *other, *tile, *dtype;      /* "" where the kind has none */
  guint     bytes;              /* of an element */
  guint     rows, columns;
  gint64    row, column;        /* of the first */
  gint64    pitch;
  guint32  *places;             /* lane, bank, thread, or LS_THREADS_NOWHERE */
  guint32  *numbers;            /* register, place in shared memory; NULL: BANKS_OF */
  guint     n_places;           /* one more than the highest place */
  guint     holders;            /* REGISTERS_OF: the most threads that have one element */
} LsThreadsLayout;

/* The layouts in an answer of the worker's method simt; what does not fit together is left out. (transfer full): an array of LsThreadsLayout */
GArray *ls_threads_layouts_new      (GVariant              *answer);
/* "C: threads and registers (C_local)" (transfer full) */
char *ls_threads_layout_words       (const LsThreadsLayout *self);
/* Size, and for shared memory how many ways the banks collide where a warp reads a row or a column. (transfer full) */
char *ls_threads_layout_summary     (const LsThreadsLayout *self);
/* "Lane 5 has 4 elements: (1, 2) in register 0, ..." (transfer full) */
char *ls_threads_layout_place_words (const LsThreadsLayout *self,
                                     guint                  place);
/* The most different words of one bank that the first 32 elements of the first row or column want at once. 0: this layout has no banks */
guint ls_threads_layout_ways        (const LsThreadsLayout *self,
                                     gboolean               column);

/* The picture: its size, all of it, and over it what one place has; the rest fades. */
void  ls_threads_layout_size        (const LsThreadsLayout *self,
                                     float                 *width,
                                     float                 *height);
void  ls_threads_layout_draw        (const LsThreadsLayout *self,
                                     LsFigure              *figure);
void  ls_threads_layout_draw_place  (const LsThreadsLayout *self,
                                     LsFigure              *figure,
                                     guint                  place);

G_END_DECLS
