/* memory-distances: reuse distances in bins of powers of two, exact, without searching.
 *
 * Only the last line of each bin is known by name: what comes to the front pushes it into the next bin.  Source of the idea: Y. H. Kim, M. D. Hill,
 * D. A. Wood, "Implementing stack simulation for highly-associative memories", SIGMETRICS 1991.
 */
#include "engine/interp/memory-private.h"

#define NEVER G_MAXUINT32

/* Lines of a bin and of all before it. */
static guint
end_of (guint bin)
{
  return 1u << bin;
}

gboolean
distances_init (Distances *self,
                guint      n_lines)
{
  self->places = memory_large_new (n_lines, sizeof *self->places);
  self->head = self->tail = CACHE_NONE;
  self->n = 0;
  for (guint i = 0; i < LS_MEMORY_BINS; i++)
    self->last[i] = CACHE_NONE;
  for (guint i = 0; self->places != NULL && i < n_lines; i++)
    self->places[i].bin = NEVER;
  return self->places != NULL;
}

void
distances_clear (Distances *self)
{
  g_clear_pointer (&self->places, memory_large_free);
}

/* It is not in the list: the lines before its old place move back by one. */
static void
put_first (Distances *self,
           guint32    line,
           guint      bins)
{
  Place *places = self->places;

  places[line].next = self->head;
  places[line].prev = CACHE_NONE;
  if (self->head != CACHE_NONE)
    places[self->head].prev = line;
  else
    self->tail = line;
  self->head = line;
  for (guint i = 0; i < bins; i++)
    {
      guint32 pushed = self->last[i];

      places[pushed].bin = i + 1;
      self->last[i] = places[pushed].prev;
    }
  places[line].bin = 0;
}

void
distances_touch (Distances *self,
                 guint32    line,
                 Counts    *counts,
                 guint64    times)
{
  Place *place = &self->places[line];
  guint bin = place->bin;

  if (bin == NEVER)
    {
      guint bins = 0;

      while (bins < LS_MEMORY_BINS && self->last[bins] != CACHE_NONE)
        bins++;
      put_first (self, line, bins);
      self->n++;
      /* What was pushed last may be what fills its bin. */
      if (bins < LS_MEMORY_BINS && self->n == end_of (bins))
        self->last[bins] = self->tail;
      counts->distances[0] += times - 1; /* the first is none */
      return;
    }
  counts->distances[bin] += times;
  if (line == self->head)
    return;
  if (line == self->last[bin])
    self->last[bin] = place->prev;
  self->places[place->prev].next = place->next;
  if (place->next != CACHE_NONE)
    self->places[place->next].prev = place->prev;
  else
    self->tail = place->prev;
  put_first (self, line, bin);
}
