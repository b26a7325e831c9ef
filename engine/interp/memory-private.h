/* memory-private: the program as streams of addresses, and the caches that they go through. */
#pragma once

#include "engine/interp/memory-lab.h"

#include <string.h>

G_BEGIN_DECLS

/* ---- memory-program.c: what is accessed --------------------------------------------------- */

typedef enum { CODE_CONST, CODE_SLOT, CODE_OP } CodeKind;
typedef struct { CodeKind kind; LsKind op; gint64 value; } CodeStep;

/* An expression of loop variables, in postfix. */
typedef struct {
  GArray *steps;                /* of CodeStep */
} Code;

typedef struct { guint slot; gint64 factor; } Term;
typedef struct { guint number; gint64 factor; } Move;
typedef struct { Code *code; gint64 factor; } CodeTerm;

/* One access: `lanes` elements `apart` bytes from each other. */
typedef struct {
  guint    number;              /* of the sum of base and terms, which is kept up as loops go round */
  guint    buffer;
  guint    loop;                /* around it, G_MAXUINT: none */
  guint    lanes, bytes;
  gint64   apart;
  guint    span;                /* bytes from the first to the end of the last lane where these lie side by side; 0: they do not */
  gint64   stride;              /* bytes from round to round of the loop around it */
  gint64   base;                /* bytes, with the buffer's place */
  guint    n_terms, n_codes;
  Term    *terms;
  CodeTerm *codes;
} Ref;

/* A comparison of such a sum with 0. */
typedef struct {
  LsKind op;
  Ref    sum;                   /* what places an access: base, terms, codes */
} Atom;

typedef enum { MEMORY_SEQ, MEMORY_LOOP, MEMORY_IF, MEMORY_REF } StepKind;

#define MEMORY_MOST_STREAM 256

typedef struct _MemoryStep MemoryStep;
struct _MemoryStep {
  StepKind   kind;
  GPtrArray *body;              /* of MemoryStep: SEQ; LOOP and IF: the statements inside; IF: those of else in `other` */
  GPtrArray *other;
  guint      slot, loop;        /* LOOP */
  GArray    *moves;             /* LOOP: of Move: the sums that its variable is in */
  Code      *min, *extent;      /* LOOP */
  Code      *condition;         /* IF */
  GArray    *atoms;             /* IF: of Atom, all of which have to hold, the same as the condition; NULL: it is no such thing */
  Ref        ref;               /* REF */
  guint      stream;            /* LOOP: accesses of its body, which has nothing else, all linear in its variable, also what they depend on; else 0 */
};

typedef struct {
  GArray     *buffers;          /* of LsMemoryBuffer */
  GArray     *loops;            /* of LsMemoryLoop */
  GArray     *places;           /* of gint64: where each buffer begins, bytes */
  GArray     *sizes;            /* of gint64: bytes */
  GArray     *bases;            /* of gint64: each sum with all variables 0 */
  GArray     *unrolled;         /* of gint64: rounds of a short loop that is written out in the loop around it; else 0 */
  MemoryStep *root;
  guint       n_slots;
} MemoryProgram;

MemoryProgram *memory_program_new  (LsPrimFunc *func, GError **error);
/* `buffers` NULL: the rows were taken over. */
void           memory_program_free (MemoryProgram *self);
void           memory_rows_free    (GArray *buffers, GArray *loops);
gboolean       memory_code_uses    (const Code *code, guint slot);
/* The value of a code. */
gint64         memory_code_value   (const Code *code, const gint64 *slots);

/* ---- memory-caches.c: the caches ---------------------------------------------------------------- */

#define CACHE_NONE G_MAXUINT32
#define CACHE_OUT (G_MAXUINT32 - 1)

typedef struct {
  guint    ways, n_sets;
  guint    mask;                /* n_sets - 1, or 0: no power of two */
  guint32 *tags;                /* n_sets * ways, used last first: line + 1 */
  struct { guint32 next, prev; } *list; /* the fully associative one: a list through all lines; next CACHE_OUT: not inside */
  guint32  head, tail;
  guint    n, room;
} Cache;

typedef struct {
  guint    n_levels;
  Cache    levels[LS_LOCALITY_LEVELS];
  guint8  *seen;                /* of each line: touched ever */
  guint    n_lines;
} Caches;

typedef struct { guint64 touches, misses[LS_LOCALITY_LEVELS][3]; } Counts;

gboolean caches_init  (Caches *self, const LsMemoryOptions *options, guint n_lines);
void     caches_clear (Caches *self);

enum { MISS_COLD, MISS_CAPACITY, MISS_CONFLICT };

/* TRUE: it was there. */
static inline gboolean
list_touch (Cache  *self,
            guint32 line)
{
  guint32 next = self->list[line].next;
  gboolean inside = next != CACHE_OUT;

  if (self->head == line)
    return TRUE;
  if (inside)
    {
      guint32 prev = self->list[line].prev;

      self->list[prev].next = next;
      if (next != CACHE_NONE)
        self->list[next].prev = prev;
      else
        self->tail = prev;
    }
  else if (self->n == self->room)
    {
      guint32 last = self->tail;

      self->tail = self->list[last].prev;
      if (self->tail != CACHE_NONE)
        self->list[self->tail].next = CACHE_NONE;
      else
        self->head = CACHE_NONE;
      self->list[last].next = CACHE_OUT;
    }
  else
    self->n++;
  self->list[line].next = self->head;
  self->list[line].prev = CACHE_NONE;
  if (self->head != CACHE_NONE)
    self->list[self->head].prev = line;
  else
    self->tail = line;
  self->head = line;
  return inside;
}

static inline gboolean
sets_touch (Cache  *self,
            guint32 line)
{
  guint32 *tags = self->tags + (gsize) (self->mask != 0 || self->n_sets == 1 ? line & self->mask : line % self->n_sets) * self->ways, tag = line + 1;
  guint i = 0;

  while (i < self->ways && tags[i] != tag)
    i++;
  if (i == 0)
    return TRUE;
  for (guint k = MIN (i, self->ways - 1); k > 0; k--)
    tags[k] = tags[k - 1];
  tags[0] = tag;
  return i < self->ways;
}

static inline void
caches_touch (Caches  *self,
              guint32  line,
              Counts  *counts)
{
  gboolean cold;

  if (self->levels[0].head == line)
    return;                     /* the line of the access before: nothing changes */
  cold = !self->seen[line];
  self->seen[line] = 1;
  for (guint i = 0; i < self->n_levels; i++)
    {
      gboolean near = list_touch (&self->levels[i], line);

      if (sets_touch (&self->levels[i], line))
        return;
      counts->misses[i][cold ? MISS_COLD : near ? MISS_CONFLICT : MISS_CAPACITY]++;
    }
}

G_END_DECLS
