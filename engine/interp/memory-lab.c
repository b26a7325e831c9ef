/* memory-lab: the program's accesses through the caches; rounds that are left out; the sums. */
#include "engine/interp/memory-private.h"

#include "engine/interp/access-private.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#define LEAST_ROUNDS 4          /* of a loop of which some are left out */
#define MOST_MARKED 4e6         /* accesses of a round whose lines are counted */
#define AHEAD 12                /* rounds of a far stream whose line is fetched before it is needed */

typedef struct {
  MemoryProgram *program;
  Caches         caches;
  Distances      distances;
  gboolean       measures;      /* distances too */
  Counts        *counts;        /* (loop + 1) * n_buffers + buffer */
  guint          n_counts, n_buffers;
  guint          shift;         /* of a line */
  guint64        n_bytes;
  gint64        *slots;         /* value of each loop variable */
  gint64        *sums;          /* of each access, kept up */
  guint64       *rounds;        /* of each loop, counted or taken to be */
  double         simulated;
  double         error[LS_LOCALITY_LEVELS]; /* misses, one standard error */
  guint32       *marks;         /* of each line, when lines are counted: by which count it was seen */
  guint32        mark;
  guint64        marked;
  guint          asked;
  gboolean       stopped, outside;
  GCancellable  *cancellable;
} Run;

static gboolean
goes_on (Run *self)
{
  if ((++self->asked & 4095) == 0 && g_cancellable_is_cancelled (self->cancellable))
    self->stopped = TRUE;
  return !self->stopped && !self->outside;
}

/* ---- streams -------------------------------------------------------------------------------- */

typedef struct {
  gint64  address, step;
  guint   lanes, span;          /* as in Ref */
  gint64  apart;
  Counts *counts;
} Flow;

static inline gint64
address_of (Run       *self,
            const Ref *ref)
{
  gint64 address = self->sums[ref->number];

  for (guint i = 0; i < ref->n_codes; i++)
    address += memory_code_value (ref->codes[i].code, self->slots) * ref->codes[i].factor;
  return address;
}

static inline void
set_slot (Run        *self,
          MemoryStep *loop,
          gint64      value)
{
  gint64 moved = value - self->slots[loop->slot];
  const Move *moves = (const Move *) (void *) loop->moves->data;

  if (moved == 0)
    return;
  self->slots[loop->slot] = value;
  for (guint i = 0; i < loop->moves->len; i++)
    self->sums[moves[i].number] += moves[i].factor * moved;
}

static inline Flow
flow_of (Run       *self,
         const Ref *ref)
{
  return (Flow) { address_of (self, ref), ref->stride, ref->lanes, ref->span, ref->apart, &self->counts[(ref->loop + 1) * self->n_buffers + ref->buffer] };
}

static inline void
touch_line (Run      *self,
            gint64    line,
            Counts   *counts,
            gboolean  marks)
{
  if (!marks)
    {
      caches_touch (&self->caches, (guint32) line, counts);
      if (self->measures)
        distances_touch (&self->distances, (guint32) line, counts, 1);
    }
  else if (self->marks[line] != self->mark)
    {
      self->marks[line] = self->mark;
      self->marked++;
    }
}

static inline void
touch (Run        *self,
       const Flow *flow,
       gboolean    marks)
{
  if (flow->span > 0)
    {
      gint64 last = (flow->address + flow->span - 1) >> self->shift;

      for (gint64 line = flow->address >> self->shift; line <= last; line++)
        touch_line (self, line, flow->counts, marks);
    }
  else
    for (guint i = 0; i < flow->lanes; i++)
      touch_line (self, (flow->address + i * flow->apart) >> self->shift, flow->counts, marks);
}

/* Rounds that are as the one before: from the second on all their distances are the same, and so is what they leave behind. */
static void
repeat_distances (Run        *self,
                  const Flow *flows,
                  guint       n,
                  guint64     times)
{
  for (guint i = 0; i < n; i++)
    {
      const Flow *flow = &flows[i];
      gint64 last = (flow->address + flow->span - 1) >> self->shift;

      for (gint64 line = flow->address >> self->shift; line <= last; line++)
        distances_touch (&self->distances, (guint32) line, flow->counts, times);
    }
}

/* Is it inside of the buffers in the first and in the last of n rounds? */
static gboolean
is_inside (Run        *self,
           const Flow *flow,
           gint64      n)
{
  gint64 reach = flow->span > 0 ? flow->span - 1 : (flow->lanes - 1) * flow->apart, moved = flow->step * (n - 1);
  gint64 low = flow->address + MIN (0, moved) + MIN (0, reach), high = flow->address + MAX (0, moved) + MAX (0, reach);

  return low >= 0 && (guint64) high < self->n_bytes;
}

/* Rounds behind this one in which every access stays on its lines. */
static gint64
same_rounds (Run        *self,
             const Flow *flows,
             guint       n,
             gint64      most)
{
  gint64 line = (gint64) 1 << self->shift;

  for (guint i = 0; i < n && most > 0; i++)
    {
      const Flow *flow = &flows[i];
      gint64 room;

      if (flow->step == 0)
        continue;
      if (ABS (flow->step) >= line)
        return 0;
      if (flow->step > 0)
        {
          gint64 first = line - (flow->address & (line - 1)) - 1, end = (flow->address + flow->span - 1) & (line - 1);

          room = MIN (first, line - end - 1) / flow->step;
        }
      else
        {
          gint64 end = (flow->address + flow->span - 1) & (line - 1);

          room = MIN (flow->address & (line - 1), end) / -flow->step;
        }
      most = MIN (most, room);
    }
  return most;
}

/* Have the first cache's sets room for all lines of the round at once? */
static gboolean
have_room (Run        *self,
           const Flow *flows,
           guint       n)
{
  const Cache *cache = &self->caches.levels[0];
  gint64 lines[MEMORY_MOST_STREAM];
  guint n_lines = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 last = (flows[i].address + flows[i].span - 1) >> self->shift;

      for (gint64 line = flows[i].address >> self->shift; line <= last; line++)
        {
          gboolean known = FALSE;

          for (guint k = 0; k < n_lines && !known; k++)
            known = lines[k] == line;
          if (!known && n_lines == MEMORY_MOST_STREAM)
            return FALSE;
          if (!known)
            lines[n_lines++] = line;
        }
    }
  if (n_lines <= cache->ways)
    return TRUE;
  for (guint i = 0; i < n_lines; i++)
    {
      guint together = 0;

      for (guint k = 0; k < n_lines; k++)
        together += lines[k] % cache->n_sets == lines[i] % cache->n_sets;
      if (together > cache->ways)
        return FALSE;
    }
  return TRUE;
}

static inline void
go_through (Run      *self,
            Flow     *flows,
            guint     n,
            gint64    rounds,
            gboolean  marks)
{
  gint64 line = (gint64) 1 << self->shift;
  gboolean far = FALSE;

  for (guint i = 0; i < n; i++)
    far |= flows[i].span == 0 || ABS (flows[i].step) >= line;
  for (gint64 at = 0; at < rounds;)
    {
      gint64 same = 0;

      for (guint i = 0; i < n; i++)
        {
          touch (self, &flows[i], marks);
          if (far && !marks && ABS (flows[i].step) >= line)
            caches_prefetch (&self->caches, (flows[i].address + AHEAD * flows[i].step) >> self->shift);
        }
      if (!far)
        same = same_rounds (self, flows, n, rounds - at - 1);
      if (same > 0 && !marks && !have_room (self, flows, n))
        same = 0;
      if (same > 0 && !marks && self->measures)
        repeat_distances (self, flows, n, (guint64) same);
      at += same + 1;
      for (guint i = 0; i < n; i++)
        flows[i].address += flows[i].step * (same + 1);
    }
}

/* Rounds behind this one in which the comparison says the same; `value` is the sum now. */
static gint64
same_truth (LsKind op,
            gint64 value,
            gint64 step)
{
  gint64 v = value, s = step;

  if (s == 0)
    return G_MAXINT64;
  if (op == LS_KIND_EQ || op == LS_KIND_NE)
    return v == 0 ? 0 : (v < 0) != (s < 0) && v % s == 0 ? -(v / s) - 1 : G_MAXINT64;
  /* Towards smaller numbers as towards larger ones; x <= 0 is x - 1 < 0, x > 0 is not that. */
  if (op == LS_KIND_LE || op == LS_KIND_GT)
    v--;
  if (v < 0)
    return s < 0 ? G_MAXINT64 : (-v - 1) / s;
  return s > 0 ? G_MAXINT64 : v / -s;
}

static gboolean
is_true (LsKind op,
         gint64 value)
{
  switch ((int) op)
    {
    case LS_KIND_EQ: return value == 0;
    case LS_KIND_NE: return value != 0;
    case LS_KIND_LT: return value < 0;
    case LS_KIND_LE: return value <= 0;
    case LS_KIND_GT: return value > 0;
    default: return value >= 0;
    }
}

/* The accesses of this round, and in how many more the same conditions hold. */
static guint
collect (Run       *self,
         GPtrArray *body,
         Flow      *flows,
         guint      n,
         gint64    *rounds)
{
  for (guint i = 0; body != NULL && i < body->len; i++)
    {
      MemoryStep *step = body->pdata[i];
      gboolean holds = TRUE;

      if (step->kind == MEMORY_REF)
        {
          flows[n++] = flow_of (self, &step->ref);
          continue;
        }
      if (step->atoms == NULL)
        holds = memory_code_value (step->condition, self->slots) != 0;
      for (guint k = 0; step->atoms != NULL && k < step->atoms->len; k++)
        {
          const Atom *atom = &g_array_index (step->atoms, Atom, k);
          gint64 value = address_of (self, &atom->sum);

          holds = holds && is_true (atom->op, value);
          *rounds = MIN (*rounds, same_truth (atom->op, value, atom->sum.stride));
        }
      n = collect (self, holds ? step->body : step->other, flows, n, rounds);
    }
  return n;
}

static void
stream (Run        *self,
        MemoryStep *step,
        gint64      min,
        gint64      rounds,
        gboolean    marks)
{
  Flow flows[MEMORY_MOST_STREAM];

  for (gint64 at = 0; at < rounds && !self->outside;)
    {
      gint64 more = rounds - at - 1;
      guint n;

      set_slot (self, step, min + at);
      n = collect (self, step->body, flows, 0, &more);
      for (guint i = 0; i < n; i++)
        {
          self->outside |= !is_inside (self, &flows[i], more + 1);
          if (marks)
            continue;
          flows[i].counts->touches += (guint64) (more + 1) * flows[i].lanes;
          self->simulated += (double) (more + 1) * flows[i].lanes;
        }
      if (!self->outside && marks)
        go_through (self, flows, n, more + 1, TRUE);
      else if (!self->outside)
        go_through (self, flows, n, more + 1, FALSE);
      at += more + 1;
    }
}

/* ---- what it costs ------------------------------------------------------------------------------ */

/* Accesses of a statement, with the loops around it where they are; loops whose extent depends on those inside are taken in their first round. */
static double
cost_of (Run        *self,
         MemoryStep *step)
{
  double cost = 0.0, other = 0.0;

  if (step->kind == MEMORY_REF)
    return step->ref.lanes;
  if (step->kind == MEMORY_LOOP)
    {
      gint64 kept = self->slots[step->slot], extent = memory_code_value (step->extent, self->slots);

      self->slots[step->slot] = memory_code_value (step->min, self->slots);
      for (guint i = 0; i < step->body->len; i++)
        cost += cost_of (self, step->body->pdata[i]);
      self->slots[step->slot] = kept;
      return cost * (double) MAX (extent, 0);
    }
  for (guint i = 0; i < step->body->len; i++)
    cost += cost_of (self, step->body->pdata[i]);
  for (guint i = 0; step->other != NULL && i < step->other->len; i++)
    other += cost_of (self, step->other->pdata[i]);
  return MAX (cost, other);
}

/* ---- going through all ------------------------------------------------------------------------------ */

static void go (Run *self, MemoryStep *step, double most, gboolean marks);

static void
go_all (Run       *self,
        GPtrArray *steps,
        double     most,
        gboolean   marks)
{
  double all = 0.0;

  for (guint i = 0; i < steps->len && most < G_MAXDOUBLE; i++)
    all += cost_of (self, steps->pdata[i]);
  for (guint i = 0; i < steps->len && goes_on (self); i++)
    go (self, steps->pdata[i], most >= all ? G_MAXDOUBLE : most * cost_of (self, steps->pdata[i]) / all, marks);
}

static void
round_of (Run        *self,
          MemoryStep *step,
          gint64      at,
          double      most,
          gboolean    marks)
{
  set_slot (self, step, at);
  go_all (self, step->body, most, marks);
}

static double
misses_of (Run   *self,
           guint  level)
{
  double sum = 0.0;

  for (guint i = 0; i < self->n_counts; i++)
    for (guint c = 0; c < 3; c++)
      sum += (double) self->counts[i].misses[level][c];
  return sum;
}

/* Adds what came since `since` as often again as `times` says. */
static void
repeat (Run           *self,
        const Counts  *since,
        const guint64 *rounds,
        double         times)
{
  guint64 *now = (guint64 *) self->counts;
  const guint64 *then = (const guint64 *) since;

  for (gsize i = 0; i < self->n_counts * sizeof (Counts) / sizeof (guint64); i++)
    now[i] += (guint64) llround ((double) (now[i] - then[i]) * times);
  for (guint i = 0; i < self->program->loops->len; i++)
    self->rounds[i] += (guint64) llround ((double) (self->rounds[i] - rounds[i]) * times);
}

/* Some rounds, the first ones; the others are taken to be as the later half of these. */
static void
sample (Run        *self,
        MemoryStep *step,
        gint64      min,
        gint64      extent,
        gint64      n,
        double      most)
{
  gint64 half = n / 2;
  double sums[LS_LOCALITY_LEVELS] = { 0 }, squares[LS_LOCALITY_LEVELS] = { 0 }, before[LS_LOCALITY_LEVELS] = { 0 }, errors[LS_LOCALITY_LEVELS] = { 0 };
  g_autofree Counts *since = NULL;
  g_autofree guint64 *rounds = NULL;
  double times = (double) (extent - n) / (double) (n - half), later = (double) (n - half);

  for (gint64 i = 0; i < n && goes_on (self); i++)
    {
      if (i == half)
        {
          since = g_memdup2 (self->counts, self->n_counts * sizeof *self->counts);
          rounds = g_memdup2 (self->rounds, self->program->loops->len * sizeof *self->rounds);
          memcpy (errors, self->error, sizeof errors);
        }
      for (guint k = 0; k < self->caches.n_levels; k++)
        before[k] = misses_of (self, k);
      round_of (self, step, min + i, most, FALSE);
      for (guint k = 0; i >= half && k < self->caches.n_levels; k++)
        {
          double misses = misses_of (self, k) - before[k];

          sums[k] += misses;
          squares[k] += misses * misses;
        }
    }
  if (since == NULL || !goes_on (self))
    return;
  repeat (self, since, rounds, times);
  self->rounds[step->loop] += (guint64) (extent - n);
  for (guint k = 0; k < self->caches.n_levels; k++)
    {
      double mean = sums[k] / later, variance = later > 1.0 ? MAX (0.0, squares[k] / later - mean * mean) * later / (later - 1.0) : 0.0;

      self->error[k] += (self->error[k] - errors[k]) * times + (double) (extent - n) * sqrt (variance / later);
    }
}

/* How many lines its first round touches. */
static void
count_lines (Run        *self,
             MemoryStep *step,
             gint64      min)
{
  LsMemoryLoop *row = &g_array_index (self->program->loops, LsMemoryLoop, step->loop);
  double cost = 0.0;

  if (row->footprint >= 0.0 || row->footprint < -1.5)
    return;
  row->footprint = -2.0;        /* once, also where it is not counted */
  set_slot (self, step, min);
  for (guint i = 0; i < step->body->len; i++)
    cost += cost_of (self, step->body->pdata[i]);
  if (cost > MOST_MARKED)
    return;
  self->mark++;
  self->marked = 0;
  if (step->stream > 0)
    stream (self, step, min, 1, TRUE);
  else
    round_of (self, step, min, G_MAXDOUBLE, TRUE);
  row->footprint = (double) self->marked;
}

static void
go_loop (Run        *self,
         MemoryStep *step,
         double      most,
         gboolean    marks)
{
  gint64 min = memory_code_value (step->min, self->slots), extent = memory_code_value (step->extent, self->slots), n = extent;
  double each = G_MAXDOUBLE;

  if (extent <= 0)
    return;
  if (!marks)
    {
      count_lines (self, step, min);
      if (!goes_on (self))
        return;
    }
  if (most < G_MAXDOUBLE)
    {
      double round = cost_of (self, step) / (double) extent, may = floor (most / MAX (round, 1.0));

      if (may < (double) extent)
        {
          n = MAX ((gint64) may, MIN (LEAST_ROUNDS, extent));
          each = may < (double) n ? most / (double) n : G_MAXDOUBLE;
        }
    }
  if (!marks)
    self->rounds[step->loop] += (guint64) n;
  if (n < extent && !marks)
    sample (self, step, min, extent, n, each);
  else if (step->stream > 0)
    stream (self, step, min, extent, marks);
  else
    for (gint64 i = 0; i < extent && goes_on (self); i++)
      round_of (self, step, min + i, each, marks);
}

static void
go (Run        *self,
    MemoryStep *step,
    double      most,
    gboolean    marks)
{
  if (step->kind == MEMORY_LOOP)
    go_loop (self, step, most, marks);
  else if (step->kind == MEMORY_REF)
    {
      Flow flow = flow_of (self, &step->ref);

      flow.step = 0;
      if (!is_inside (self, &flow, 1))
        {
          self->outside = TRUE;
          return;
        }
      touch (self, &flow, marks);
      if (marks)
        return;
      flow.counts->touches += flow.lanes;
      self->simulated += flow.lanes;
    }
  else if (step->kind == MEMORY_IF && memory_code_value (step->condition, self->slots) == 0)
    {
      if (step->other != NULL)
        go_all (self, step->other, most, marks);
    }
  else
    go_all (self, step->body, most, marks);
}

/* ---- the sums ---------------------------------------------------------------------------------------- */

static void
add_misses (LsMemoryMisses *to,
            const Counts   *counts,
            guint           level)
{
  to->cold += (double) counts->misses[level][MISS_COLD];
  to->capacity += (double) counts->misses[level][MISS_CAPACITY];
  to->conflict += (double) counts->misses[level][MISS_CONFLICT];
}

static void
add_distances (double       *to,
               const Counts *counts)
{
  for (guint i = 0; i < LS_MEMORY_BINS; i++)
    to[i] += (double) counts->distances[i];
}

/* A line comes for the first time once: rounds that were left out have no more first touches than there are lines. */
static void
hold_cold (Run   *self,
           guint  buffer)
{
  gint64 bytes = g_array_index (self->program->sizes, gint64, buffer), line = (gint64) 1 << self->shift, lines = (bytes + line - 1) / line;

  for (guint k = 0; k < self->caches.n_levels; k++)
    {
      guint64 all = 0;

      for (guint i = buffer; i < self->n_counts; i += self->n_buffers)
        all += self->counts[i].misses[k][MISS_COLD];
      for (guint i = buffer; all > (guint64) lines && i < self->n_counts; i += self->n_buffers)
        self->counts[i].misses[k][MISS_COLD] = (guint64) ((double) self->counts[i].misses[k][MISS_COLD] * (double) lines / (double) all);
    }
}

static double
rounds_around (GArray *loops,
               guint   loop)
{
  guint depth = g_array_index (loops, LsMemoryLoop, loop).depth;

  for (guint at = loop; at-- > 0;)
    if (g_array_index (loops, LsMemoryLoop, at).depth < depth)
      return g_array_index (loops, LsMemoryLoop, at).rounds;
  return 1.0;
}

/* What belongs to a loop belongs to those around it. */
static void
sum_up (Run      *self,
        LsMemoryLab *result)
{
  guint n_loops = result->loops->len;

  for (guint b = 0; b < self->n_buffers; b++)
    hold_cold (self, b);
  for (guint l = 0; l < n_loops; l++)
    {
      LsMemoryLoop *row = &g_array_index (result->loops, LsMemoryLoop, l);
      gint64 written = g_array_index (self->program->unrolled, gint64, l);

      row->rounds = written == 0 ? (double) self->rounds[l] : (double) written * rounds_around (result->loops, l);
      row->footprint = MAX (row->footprint, -1.0);
      row->of_buffers = g_new0 (LsMemoryMisses, self->n_buffers * LS_LOCALITY_LEVELS + 1);
    }
  for (guint l = 0; l <= n_loops; l++)
    for (guint b = 0; b < self->n_buffers; b++)
      {
        const Counts *counts = &self->counts[l * self->n_buffers + b];
        LsMemoryBuffer *buffer = &g_array_index (result->buffers, LsMemoryBuffer, b);
        guint depth = G_MAXUINT;

        buffer->accesses += (double) counts->touches;
        result->all.accesses += (double) counts->touches;
        buffer->lines += (double) counts->misses[0][MISS_COLD];
        result->all.lines += (double) counts->misses[0][MISS_COLD];
        for (guint k = 0; k < self->caches.n_levels; k++)
          {
            add_misses (&buffer->misses[k], counts, k);
            add_misses (&result->all.misses[k], counts, k);
          }
        add_distances (buffer->distances, counts);
        add_distances (result->all.distances, counts);
        for (guint at = l; at-- > 0 && depth > 0;)
          {
            LsMemoryLoop *row = &g_array_index (result->loops, LsMemoryLoop, at);

            if (row->depth >= depth)
              continue;
            depth = row->depth;
            row->accesses += (double) counts->touches;
            add_distances (row->distances, counts);
            for (guint k = 0; k < self->caches.n_levels; k++)
              {
                add_misses (&row->misses[k], counts, k);
                add_misses (&row->of_buffers[b * LS_LOCALITY_LEVELS + k], counts, k);
              }
          }
      }
  for (guint k = 0; k < self->caches.n_levels; k++)
    {
      double all = misses_of (self, k);

      result->error[k] = all > 0.0 ? self->error[k] / all : 0.0;
    }
}

static gboolean
run (Run                    *self,
     const LsMemoryOptions  *options,
     GError                **error)
{
  MemoryProgram *program = self->program;
  guint n_lines;

  for (self->shift = 0; (1u << self->shift) < options->line_bytes; self->shift++)
    ;
  for (guint i = 0; i < program->places->len; i++)
    self->n_bytes = (guint64) (g_array_index (program->places, gint64, i) + (g_array_index (program->sizes, gint64, i) + 4095) / 4096 * 4096);
  if (self->n_bytes >> self->shift >= MOST_LINES)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("The buffers have %" PRIu64 " MB: too much to be followed."), self->n_bytes >> 20);
      return FALSE;
    }
  n_lines = MAX (1, (guint) (self->n_bytes >> self->shift));   /* buffers begin and end with pages */
  self->n_buffers = program->buffers->len;
  self->n_counts = (program->loops->len + 1) * self->n_buffers;
  self->counts = g_new0 (Counts, self->n_counts + 1);
  self->slots = g_new0 (gint64, program->n_slots + 1);
  self->sums = g_memdup2 (program->bases->data, MAX (program->bases->len, 1u) * sizeof (gint64));
  self->rounds = g_new0 (guint64, program->loops->len + 1);
  self->marks = g_try_new0 (guint32, n_lines);
  self->measures = options->distances;
  if (!caches_init (&self->caches, options, n_lines) || self->marks == NULL || (self->measures && !distances_init (&self->distances, n_lines)))
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("There is not enough memory to follow the accesses."));
      return FALSE;
    }
  go (self, program->root, options->most > 0.0 ? options->most : G_MAXDOUBLE, FALSE);
  if (self->stopped)
    g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BUDGET, ls_translate ("Following the accesses was stopped."));
  else if (self->outside)
    g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BOUNDS, ls_translate ("The program touches what lies outside of its buffers."));
  return !self->stopped && !self->outside;
}

static double
cpu_seconds (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

LsMemoryLab *
ls_memory_lab_new (LsPrimFunc             *func,
               const LsMemoryOptions  *options,
               GCancellable           *cancellable,
               GError                **error)
{
  double begun = cpu_seconds ();
  Run self = { .cancellable = cancellable };
  LsMemoryLab *result = NULL;

  if (!ls_memory_options_check (options, error) || (self.program = memory_program_new (func, error)) == NULL)
    return NULL;
  if (memory_data_read (func, self.program->tables, options, cancellable, error) && run (&self, options, error))
    {
      result = g_new0 (LsMemoryLab, 1);
      result->options = *options;
      result->options.args = NULL;
      result->buffers = self.program->buffers;
      result->loops = self.program->loops;
      result->all.name = g_strdup ("all");
      result->chooses = self.program->chooses;
      sum_up (&self, result);
      self.program->buffers = self.program->loops = NULL;
      result->simulated = self.simulated;
      result->seconds = cpu_seconds () - begun;
    }
  caches_clear (&self.caches);
  distances_clear (&self.distances);
  g_free (self.counts);
  g_free (self.slots);
  g_free (self.sums);
  g_free (self.rounds);
  g_free (self.marks);
  memory_program_free (self.program);
  return result;
}

void
ls_memory_lab_free (LsMemoryLab *self)
{
  if (self == NULL)
    return;
  memory_rows_free (self->buffers, self->loops);
  g_free (self->all.name);
  g_free (self->data);
  g_free (self);
}
