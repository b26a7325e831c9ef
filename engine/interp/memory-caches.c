/* memory-caches: sets and ways, and beside each cache a fully associative one of its size, from which causes are told. */
#include "engine/interp/memory-private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((gsize) 1 << 21)

gpointer
memory_large_new (gsize n,
                  gsize bytes)
{
  gsize all = n * bytes;
  gpointer self;

  if (all < LARGE_PAGE)
    return malloc (MAX (all, 1));
  all = (all + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
  if (posix_memalign (&self, LARGE_PAGE, all) != 0)
    return NULL;
  madvise (self, all, MADV_HUGEPAGE);   /* where there are none it is as slow as it was */
  return self;
}

void
memory_large_free (gpointer self)
{
  free (self);
}

gboolean
caches_init (Caches                *self,
             const LsMemoryOptions *options,
             guint                  n_lines)
{
  memset (self, 0, sizeof *self);
  self->n_levels = options->n_levels;
  self->n_lines = n_lines;
  for (guint i = 0; i < self->n_levels; i++)
    {
      Cache *cache = &self->levels[i];

      cache->ways = options->levels[i].ways;
      cache->room = (guint) (options->levels[i].bytes / options->line_bytes);
      cache->n_sets = cache->room / cache->ways;
      cache->room = cache->n_sets * cache->ways;
      cache->mask = (cache->n_sets & (cache->n_sets - 1)) == 0 ? cache->n_sets - 1 : 0;
      cache->head = cache->tail = CACHE_NONE;
      /* Lines follow each other from 0 on, so that no set has more than its ways of them where there is room for all. */
      if (i > 0 && n_lines <= cache->room)
        break;
      cache->tags = memory_large_new (cache->room, sizeof *cache->tags);
      if (cache->tags == NULL)
        return FALSE;
      memset (cache->tags, 0, cache->room * sizeof *cache->tags);
      self->n_kept++;
    }
  self->links = memory_large_new ((gsize) link_of (n_lines) + 1, self->n_kept * sizeof *self->links);
  for (gsize k = 0; self->links != NULL && k < ((gsize) link_of (n_lines) + 1) * self->n_kept; k++)
    self->links[k] = (Link) { CACHE_NEW, CACHE_NONE };
  return self->links != NULL;
}

void
caches_clear (Caches *self)
{
  for (guint i = 0; i < self->n_levels; i++)
    memory_large_free (self->levels[i].tags);
  memory_large_free (self->links);
}

void
ls_memory_options_init (LsMemoryOptions *self)
{
  long line = sysconf (_SC_LEVEL1_DCACHE_LINESIZE);

  memset (self, 0, sizeof *self);
  ls_cache_levels (self->levels, &self->n_levels);
  self->line_bytes = line >= 16 && line <= 256 && (line & (line - 1)) == 0 ? (guint) line : LS_ACCESS_LINE_BYTES;
  self->most = 3e8;
}

gboolean
ls_memory_options_check (const LsMemoryOptions  *self,
                         GError                **error)
{
  guint line = self->line_bytes;

  if (line < 8 || line > 4096 || (line & (line - 1)) != 0)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("A cache line of %u bytes: expected is a power of two from 8 to 4096."), line);
      return FALSE;
    }
  if (self->n_levels < 1 || self->n_levels > LS_LOCALITY_LEVELS)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("%u caches: expected are 1 to %d."), self->n_levels, LS_LOCALITY_LEVELS);
      return FALSE;
    }
  for (guint i = 0; i < self->n_levels; i++)
    {
      const LsCacheLevel *level = &self->levels[i];

      if (level->ways < 1 || level->bytes < (gint64) line * level->ways || level->bytes % ((gint64) line * level->ways) != 0 || level->bytes > ((gint64) 1 << 32))
        {
          g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT,
                       ls_translate ("A cache of %" PRId64 " bytes with %u ways: expected is a multiple of its ways and of lines of %u bytes, 4 GiB at most."),
                       level->bytes, level->ways, line);
          return FALSE;
        }
      if (i > 0 && level->bytes < self->levels[i - 1].bytes)
        {
          g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("Cache %u is smaller than the one before it."), i + 1);
          return FALSE;
        }
    }
  return TRUE;
}
