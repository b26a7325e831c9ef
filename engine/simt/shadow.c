/* shadow: who touched each element last, and whether a barrier stands between.
 *
 * Two accesses of different threads are in order when they are in one block with a barrier of the block between them, or in one warp with a
 * barrier of the warp.  For each element the last writer is kept, and of the readers since so many that the question "is there one that is not in
 * order with this writer" has the right answer: the last reader, one of its warp that read in the same phase, one of another warp of its
 * block in the same phase, and one of another block. */
#include "engine/simt/simt-private.h"

#include <string.h>

static Stamp
stamp_now (Simt *self,
           Warp *warp,
           guint thread,
           guint site)
{
  return (Stamp) { (guint32) self->block_number, self->block_epoch, warp->warp_epoch, (guint16) thread, (guint16) (site + 1) };
}

static gboolean
same_warp (Simt        *self,
           const Stamp *a,
           const Stamp *b)
{
  return a->thread / self->warp_size == b->thread / self->warp_size;
}

/* May they happen in either order? */
static gboolean
at_odds (Simt        *self,
         const Stamp *before,
         const Stamp *now,
         LsSimtSpace  space)
{
  if (before->site == 0)
    return FALSE;
  if (g_array_index (self->code->sites, LsSimtSite, before->site - 1).is_atomic && g_array_index (self->code->sites, LsSimtSite, now->site - 1).is_atomic)
    return FALSE;
  if (before->block != now->block)
    return space == LS_SIMT_GLOBAL;
  return before->thread != now->thread && before->block_epoch == now->block_epoch
         && !(same_warp (self, before, now) && before->warp_epoch != now->warp_epoch);
}

static Cell *
cell_of (Region *region,
         gint64  number)
{
  Cell **page;

  if (number < 0 || number / PAGE_CELLS >= region->n_pages)
    return NULL;
  page = &region->pages[number / PAGE_CELLS];
  if (*page == NULL)
    *page = g_new0 (Cell, PAGE_CELLS);
  return &(*page)[number % PAGE_CELLS];
}

/* Memory of a block is new for each block. */
static void
drop_old (Cell        *cell,
          const Stamp *now,
          LsSimtSpace  space)
{
  if (space == LS_SIMT_GLOBAL)
    return;
  if (cell->writer.site != 0 && cell->writer.block != now->block)
    cell->writer.site = cell->pending = 0;
  for (guint i = 0; i < G_N_ELEMENTS (cell->readers); i++)
    if (cell->readers[i].block != now->block)
      cell->readers[i].site = 0;
}

static void
note_reader (Simt        *self,
             Cell        *cell,
             const Stamp *now)
{
  Stamp last = cell->readers[0];

  if (last.site == 0)
    {
      cell->readers[0] = *now;
      return;
    }
  if (last.block != now->block)
    {
      cell->readers[3] = last;
      cell->readers[1].site = cell->readers[2].site = 0;
    }
  else if (last.block_epoch != now->block_epoch)
    {
      cell->readers[1].site = cell->readers[2].site = 0;
    }
  else if (!same_warp (self, &last, now))
    {
      cell->readers[2] = last;
      cell->readers[1].site = 0;
    }
  else if (last.warp_epoch != now->warp_epoch)
    {
      cell->readers[1].site = 0;
    }
  else if (last.thread != now->thread)
    {
      cell->readers[1] = last;
    }
  cell->readers[0] = *now;
}

static void
find_unwritten (Simt  *self,
                guint  thread,
                guint  site,
                gint64 element)
{
  LsSimtFinding *finding = simt_finding (self, LS_SIMT_UNWRITTEN, site, G_MAXUINT, thread);

  if (finding != NULL)
    finding->element = element;
}

static void
find_pending (Simt        *self,
              guint        thread,
              guint        site,
              const Stamp *writer,
              gint64       element)
{
  LsSimtFinding *finding = simt_finding (self, LS_SIMT_PENDING, site, writer->site - 1u, thread);

  if (finding == NULL)
    return;
  finding->element = element;
  finding->has_other = TRUE;
  finding->other_is_store = TRUE;
  simt_thread_of (self, writer->thread, &finding->other);
}

void
simt_shadow_pending (Region *region,
                     gint64  offset,
                     guint   bytes,
                     int     change)
{
  for (gint64 i = offset / region->granule; region->pages != NULL && i <= (offset + bytes - 1) / region->granule; i++)
    {
      Cell *cell = cell_of (region, i);

      if (cell != NULL && (change > 0 || cell->pending > 0))
        cell->pending += (guint32) change;
    }
}

static void
find_shuffle (Simt  *self,
              Warp  *warp,
              guint  lane)
{
  LsSimtFinding *finding = simt_finding (self, LS_SIMT_SHUFFLE, G_MAXUINT, G_MAXUINT, warp->number * self->warp_size + lane);

  if (finding == NULL)
    return;
  finding->line = finding->other_line = warp->shuffle_line;
  finding->element = warp->shuffle_from[lane];
  finding->has_other = (warp->live >> warp->shuffle_from[lane] & 1) != 0;
  if (finding->has_other)
    simt_thread_of (self, warp->number * self->warp_size + warp->shuffle_from[lane], &finding->other);
}

void
simt_use_unknown (Simt      *self,
                  Warp      *warp,
                  LsSimtMask mask)
{
  LsSimtMask shuffled = warp->unknown & warp->shuffled & mask, unwritten = warp->unknown & ~warp->shuffled & mask;

  if (shuffled != 0)
    find_shuffle (self, warp, simt_first_lane (shuffled));
  if (unwritten != 0)
    find_unwritten (self, warp->number * self->warp_size + simt_first_lane (unwritten), warp->unknown_site, warp->unknown_element);
  warp->unknown = warp->shuffled = 0;
}

void
simt_shadow_read (Simt   *self,
                  Warp   *warp,
                  Region *region,
                  gint64  offset,
                  guint   bytes,
                  guint   thread,
                  guint   site,
                  gint64  element)
{
  gint64 first = offset / region->granule, last = (offset + bytes - 1) / region->granule;
  Stamp now;

  if (region->written != NULL)
    {
      for (gint64 i = first; i <= last; i++)
        if (region->written[i] != WRITTEN)
          {
            warp->unknown |= LS_SIMT_LANE (thread % self->warp_size);
            if (region->written[i] == WRITTEN_UNKNOWN)
              {
                warp->shuffled |= LS_SIMT_LANE (thread % self->warp_size);
                return;
              }
            warp->unknown_site = site;
            warp->unknown_element = element;
            return;
          }
      return;
    }
  if (region->pages == NULL)
    return;
  now = stamp_now (self, warp, thread, site);
  for (gint64 i = first; i <= last; i++)
    {
      Cell *cell = cell_of (region, i);

      if (cell == NULL)
        return;
      drop_old (cell, &now, region->space);
      if (cell->pending > 0)
        {
          find_pending (self, thread, site, &cell->writer, element);
          note_reader (self, cell, &now);
          return;
        }
      if (cell->writer.site == 0 && region->space != LS_SIMT_GLOBAL)
        {
          find_unwritten (self, thread, site, element);
          note_reader (self, cell, &now);
          return;
        }
      if (at_odds (self, &cell->writer, &now, region->space))
        simt_find_race (self, LS_SIMT_RACE, site, thread, &cell->writer, TRUE, element);
      note_reader (self, cell, &now);
    }
}

void
simt_shadow_write (Simt    *self,
                   Warp    *warp,
                   Region  *region,
                   gint64   offset,
                   guint    bytes,
                   guint    thread,
                   guint    site,
                   gint64   element,
                   gboolean changes)
{
  gint64 first = offset / region->granule, last = (offset + bytes - 1) / region->granule;
  LsSimtFindingKind kind = changes ? LS_SIMT_RACE : LS_SIMT_SAME_VALUE;
  Stamp now;

  if (region->written != NULL)
    {
      guint lane = thread % self->warp_size;
      int state = (warp->unknown >> lane & 1) == 0 ? WRITTEN : (warp->shuffled >> lane & 1) != 0 ? WRITTEN_UNKNOWN : NOT_WRITTEN;

      memset (region->written + first, state, (gsize) (last - first + 1));
      return;
    }
  if (region->pages == NULL)
    return;
  now = stamp_now (self, warp, thread, site);
  for (gint64 i = first; i <= last; i++)
    {
      Cell *cell = cell_of (region, i);

      if (cell == NULL)
        return;
      drop_old (cell, &now, region->space);
      if (cell->pending > 0)
        find_pending (self, thread, site, &cell->writer, element);
      else if (at_odds (self, &cell->writer, &now, region->space))
        simt_find_race (self, kind, site, thread, &cell->writer, TRUE, element);
      for (guint k = 0; k < G_N_ELEMENTS (cell->readers); k++)
        if (at_odds (self, &cell->readers[k], &now, region->space))
          {
            simt_find_race (self, kind, site, thread, &cell->readers[k], FALSE, element);
            break;
          }
      memset (cell->readers, 0, sizeof cell->readers);
      cell->writer = now;
    }
}
