/* random-threads: what the files share that write programs for threads. */
#pragma once

#include "tests/support/random.h"

G_BEGIN_DECLS

typedef struct {
  GRand   *rand;
  GString *program, *steps;
  const char *type;             /* of all arrays; "$t" in a text that is written */
  gint     tx, ty;              /* threads of a block */
} Writer;

gint     upto         (Writer *w, gint low, gint high);
gboolean chance       (Writer *w, gint percent);
gint     pick         (Writer *w, const gint *values, guint n);
#define PICK(w, ...) pick (w, (const gint[]) { __VA_ARGS__ }, G_N_ELEMENTS (((const gint[]) { __VA_ARGS__ })))
/* The module up to the first statement of its function. */
void     begin        (Writer *w, const char *parameters);
/* More statements; "$t" is the type. */
void     write_body   (Writer *w, const char *format, ...) G_GNUC_PRINTF (2, 3);
void     write_steps  (Writer *w, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* random-threads-rows.c: a row's sum or maximum and something of each element with it; rfactor; several such stages; the place of the largest. */
void     write_rows     (Writer *w);
void     write_factored (Writer *w);
void     write_stages   (Writer *w);
void     write_place    (Writer *w);

/* random-threads-atomics.c: places that many threads change by atomic functions. */
void     write_counts   (Writer *w);

G_END_DECLS
