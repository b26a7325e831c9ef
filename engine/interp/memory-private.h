/* memory-private: the program as streams of addresses, and the caches that they go through. */
#pragma once

#include "engine/interp/memory-lab.h"

#include <string.h>

G_BEGIN_DECLS

/* ---- memory-program.c, memory-code.c: what is accessed --------------------------------------------------- */

/* What a buffer holds that says where accesses go. */
typedef struct {
  LsVar  *data;                 /* borrowed */
  char   *name;
  gint64  n;                    /* elements */
  gint64 *values;               /* NULL: not read yet */
  guint8 *known;                /* of each element: it was loaded in the run; NULL: all are known */
} MemoryTable;

typedef enum { CODE_CONST, CODE_SLOT, CODE_OP, CODE_LOAD } CodeKind;
typedef struct {
  CodeKind kind;
  LsKind   op;
  gint64   value;
  const MemoryTable *table;     /* LOAD: of the element whose number is on the stack */
} CodeStep;

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
  GPtrArray  *tables;           /* of MemoryTable */
  gboolean    chooses;          /* between values by floats: both sides are taken to be touched */
  MemoryStep *root;
  guint       n_slots;
} MemoryProgram;

MemoryProgram *memory_program_new  (LsPrimFunc *func, GError **error);
/* A condition compares floats that are loaded, or what is computed of them: which way it goes is not followed. */
gboolean       memory_compares_floats (LsNode *condition);
/* Fills the tables. */
gboolean       memory_data_read    (LsPrimFunc *func, GPtrArray *tables, const LsMemoryOptions *options, GCancellable *cancellable, GError **error);
void           memory_table_free   (gpointer data);
/* `buffers` NULL: the rows were taken over. */
void           memory_program_free (MemoryProgram *self);
void           memory_rows_free    (GArray *buffers, GArray *loops);
gboolean       memory_code_uses    (const Code *code, guint slot);
/* The value of a code. */
gint64         memory_code_value   (const Code *code, const gint64 *slots);

/* n times so many bytes, not cleared; NULL: there is no memory.  What belongs to the lines of one column lies on a page each; to find those pages takes
 * longer than all else, so that they are as large as the system has them. */
gpointer       memory_large_new    (gsize n, gsize bytes);
void           memory_large_free   (gpointer self);

/* ---- memory-caches.c: the caches ---------------------------------------------------------------- */

#define CACHE_NONE G_MAXUINT32
#define CACHE_OUT (G_MAXUINT32 - 1)
#define CACHE_NEW (G_MAXUINT32 - 2)
#define MOST_LINES (1u << 26)

/* A line in a list through the lines of a cache; next CACHE_OUT: it is not inside, CACHE_NEW: and never was. */
typedef struct { guint32 next, prev; } Link;

typedef struct {
  guint    ways, n_sets;
  guint    mask;                /* n_sets - 1, or 0: no power of two */
  guint32 *tags;                /* n_sets * ways, used last first: line + 1 */
  guint32  head, tail;          /* of the list: a fully associative cache of the same size */
  guint    n, room;
} Cache;

typedef struct {
  guint    n_levels;
  guint    n_kept;              /* levels that are gone through: in the others there is room for all lines in the sets, they miss what is new */
  Cache    levels[LS_LOCALITY_LEVELS];
  Link    *links;               /* link_of (line) * n_kept + level: what belongs to a line lies together */
  guint    n_lines;
} Caches;

typedef struct { guint64 touches, misses[LS_LOCALITY_LEVELS][3], distances[LS_MEMORY_BINS]; } Counts;

gboolean caches_init  (Caches *self, const LsMemoryOptions *options, guint n_lines);
void     caches_clear (Caches *self);

enum { MISS_COLD, MISS_CAPACITY, MISS_CONFLICT };

/* Lines that a program touches after each other are often a power of two apart, which our own caches would suffer from as those that are simulated. */
static inline guint32
link_of (guint32 line)
{
  return line + (line >> 5);
}

/* TRUE: it was there.  `n`: all->n_kept, a constant where this is called. */
static inline __attribute__ ((always_inline)) gboolean
list_touch (Caches  *all,
            guint    level,
            guint    n,
            guint32  line)              /* link_of() it */
{
  Cache *self = &all->levels[level];
  Link *links = all->links + level, *link = links + (gsize) line * n;
  gboolean inside = link->next < CACHE_NEW || link->next == CACHE_NONE;

  if (self->head == line)
    return TRUE;
  if (inside)
    {
      links[(gsize) link->prev * n].next = link->next;
      if (link->next != CACHE_NONE)
        links[(gsize) link->next * n].prev = link->prev;
      else
        self->tail = link->prev;
    }
  else if (self->n == self->room)
    {
      Link *last = &links[(gsize) self->tail * n];

      self->tail = last->prev;
      last->next = CACHE_OUT;
      if (self->tail != CACHE_NONE)
        {
          links[(gsize) self->tail * n].next = CACHE_NONE;
          __builtin_prefetch (&links[(gsize) links[(gsize) self->tail * n].prev * n], 1);  /* which goes next */
        }
      else
        self->head = CACHE_NONE;
    }
  else
    self->n++;
  link->next = self->head;
  link->prev = CACHE_NONE;
  if (self->head != CACHE_NONE)
    links[(gsize) self->head * n].prev = line;
  else
    self->tail = line;
  self->head = line;
  return inside;
}

/* Those of the line's set. */
static inline guint32 *
tags_of (const Cache *self,
         guint32      line)
{
  guint32 set = self->mask != 0 || self->n_sets == 1 ? line & self->mask : line % self->n_sets;

  return self->tags + (gsize) (self->mask != 0 ? set ^ (set >> 7) : set) * self->ways;  /* where a set lies is ours to choose, as in link_of() */
}

/* The ways move by one up to where the tag was, or all.  `ways` is a constant where it can be: without a test of it each takes half the time. */
static inline __attribute__ ((always_inline)) gboolean
ways_touch (guint32 *tags,
            guint    ways,
            guint32  tag)
{
  guint32 moved = tag;

  for (guint i = 0; i < ways; i++)
    {
      guint32 here = tags[i];

      tags[i] = moved;
      if (here == tag)
        return TRUE;
      moved = here;
    }
  return FALSE;
}

static inline gboolean
sets_touch (Cache  *self,
            guint32 line)
{
  guint32 *tags = tags_of (self, line);

  switch (self->ways)
    {
    case 8: return ways_touch (tags, 8, line + 1);
    case 16: return ways_touch (tags, 16, line + 1);
    default: return ways_touch (tags, self->ways, line + 1);
    }
}

static inline __attribute__ ((always_inline)) void
caches_miss_or_hit (Caches  *self,
                    guint    n,
                    guint32  line,
                    Counts  *counts)
{
  guint32 link = link_of (line);
  gboolean cold = self->links[(gsize) link * n].next == CACHE_NEW;

  for (guint i = 0; i < n; i++)
    {
      gboolean near = list_touch (self, i, n, link);

      if (sets_touch (&self->levels[i], line))
        return;
      counts->misses[i][cold ? MISS_COLD : near ? MISS_CONFLICT : MISS_CAPACITY]++;
    }
  for (guint i = n; cold && i < self->n_levels; i++)
    counts->misses[i][MISS_COLD]++;
}

static inline void
caches_touch (Caches  *self,
              guint32  line,
              Counts  *counts)
{
  if (self->levels[0].head == link_of (line))
    return;                     /* the line of the access before: nothing changes */
  if (self->n_kept == 1)
    caches_miss_or_hit (self, 1, line, counts);
  else if (self->n_kept == 2)
    caches_miss_or_hit (self, 2, line, counts);
  else
    caches_miss_or_hit (self, 3, line, counts);
}

/* What is needed when the line is touched soon. */
static inline void
caches_prefetch (const Caches *self,
                 gint64        line)
{
  if (line < 0 || line >= self->n_lines)
    return;
  __builtin_prefetch (self->links + (gsize) link_of ((guint32) line) * self->n_kept, 1);
  __builtin_prefetch (tags_of (&self->levels[self->n_kept - 1], (guint32) line), 1);
}

/* ---- memory-distances.c: how far apart the touches of a line are ---------------------------------- */

/* All lines by their last touch, the last one first, in bins: the first line, then 1, 2, 4, ... lines.  A line that comes to the front moves one line of
 * each bin before its own into the next. */
typedef struct { guint32 next, prev, bin; } Place;

typedef struct {
  Place  *places;               /* of each line; bin G_MAXUINT32: never touched */
  guint32 last[LS_MEMORY_BINS]; /* line of each bin; CACHE_NONE: the bin is not full yet */
  guint32 head, tail;
  guint   n;                    /* lines */
} Distances;

gboolean distances_init  (Distances *self, guint n_lines);
void     distances_clear (Distances *self);
/* The line is touched `times` times in this way. */
void     distances_touch (Distances *self, guint32 line, Counts *counts, guint64 times);

G_END_DECLS
