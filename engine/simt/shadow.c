/* shadow: who touched each element last, and whether a barrier stands between.
 *
 * Two accesses of different threads are in order when they are in one block with a barrier of the block between them, or in one warp with a
 * barrier of the warp.  For each element the last writer is kept, and of the readers since so many that the question "is there one that is not in
 * order with this writer" has the right answer: the last reader, one of its warp that read in the same phase, one of another warp of its
 * block in the same phase, and one of another block.  Atomic functions change an element in any order, as readers read it: they are kept in the same
 * way, beside the readers. */
#include "engine/simt/simt-private.h"

#include <string.h>

#define KEPT G_N_ELEMENTS (((Cell *) NULL)->readers)

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
note_among (Simt        *self,
            Stamp       *kept,
            const Stamp *now)
{
  Stamp last = kept[0];

  if (last.site == 0)
    {
      kept[0] = *now;
      return;
    }
  if (last.block != now->block)
    {
      kept[3] = last;
      kept[1].site = kept[2].site = 0;
    }
  else if (last.block_epoch != now->block_epoch)
    {
      kept[1].site = kept[2].site = 0;
    }
  else if (!same_warp (self, &last, now))
    {
      kept[2] = last;
      kept[1].site = 0;
    }
  else if (last.warp_epoch != now->warp_epoch)
    {
      kept[1].site = 0;
    }
  else if (last.thread != now->thread)
    {
      kept[1] = last;
    }
  kept[0] = *now;
}

/* Who changed the element by atomic functions since it was written: KEPT stamps; NULL: nobody, and they are not wanted. */
static Stamp *
atoms_of (Region      *region,
          gint64       number,
          const Stamp *now,
          gboolean     wanted)
{
  Stamp *atoms;

  if (region->atoms == NULL && !wanted)
    return NULL;
  if (region->atoms == NULL)
    region->atoms = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  atoms = g_hash_table_lookup (region->atoms, &number);
  if (atoms == NULL && wanted)
    g_hash_table_insert (region->atoms, g_memdup2 (&number, sizeof number), atoms = g_new0 (Stamp, KEPT));
  for (guint i = 0; atoms != NULL && region->space != LS_SIMT_GLOBAL && i < KEPT; i++)
    if (atoms[i].block != now->block)
      atoms[i].site = 0;
  return atoms;
}

/* The first of the kept that may come before or after this; or NULL. */
static const Stamp *
first_at_odds (Simt        *self,
               const Stamp *kept,
               const Stamp *now,
               LsSimtSpace  space)
{
  for (guint i = 0; kept != NULL && i < KEPT; i++)
    if (at_odds (self, &kept[i], now, space))
      return &kept[i];
  return NULL;
}

static gboolean
is_unwritten (Region      *region,
              const Cell  *cell,
              const Stamp *atoms)
{
  return region->space != LS_SIMT_GLOBAL && cell->writer.site == 0 && (atoms == NULL || atoms[0].site == 0);
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
      const Stamp *atoms, *other;

      if (cell == NULL)
        return;
      drop_old (cell, &now, region->space);
      atoms = atoms_of (region, i, &now, FALSE);
      if (cell->pending > 0)
        {
          find_pending (self, thread, site, &cell->writer, element);
          note_among (self, cell->readers, &now);
          return;
        }
      if (is_unwritten (region, cell, atoms))
        {
          find_unwritten (self, thread, site, element);
          note_among (self, cell->readers, &now);
          return;
        }
      other = at_odds (self, &cell->writer, &now, region->space) ? &cell->writer : first_at_odds (self, atoms, &now, region->space);
      if (other != NULL)
        simt_find_race (self, LS_SIMT_RACE, site, thread, other, TRUE, element);
      note_among (self, cell->readers, &now);
    }
}

void
simt_shadow_atomic (Simt   *self,
                    Warp   *warp,
                    Region *region,
                    gint64  offset,
                    guint   bytes,
                    guint   thread,
                    guint   site,
                    gint64  element)
{
  Stamp now;

  if (region->written != NULL)
    {
      simt_shadow_read (self, warp, region, offset, bytes, thread, site, element);
      simt_shadow_write (self, warp, region, offset, bytes, thread, site, element, TRUE);
      return;
    }
  if (region->pages == NULL)
    return;
  now = stamp_now (self, warp, thread, site);
  for (gint64 i = offset / region->granule; i <= (offset + bytes - 1) / region->granule; i++)
    {
      Cell *cell = cell_of (region, i);
      const Stamp *reader;
      Stamp *atoms;

      if (cell == NULL)
        return;
      drop_old (cell, &now, region->space);
      atoms = atoms_of (region, i, &now, TRUE);
      if (cell->pending > 0)
        find_pending (self, thread, site, &cell->writer, element);
      else if (is_unwritten (region, cell, atoms))
        find_unwritten (self, thread, site, element);
      else if (at_odds (self, &cell->writer, &now, region->space))
        simt_find_race (self, LS_SIMT_RACE, site, thread, &cell->writer, TRUE, element);
      reader = first_at_odds (self, cell->readers, &now, region->space);
      if (reader != NULL)
        simt_find_race (self, LS_SIMT_RACE, site, thread, reader, FALSE, element);
      note_among (self, atoms, &now);
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
      const Stamp *other, *reader;
      Stamp *atoms;

      if (cell == NULL)
        return;
      drop_old (cell, &now, region->space);
      atoms = atoms_of (region, i, &now, FALSE);
      other = at_odds (self, &cell->writer, &now, region->space) ? &cell->writer : first_at_odds (self, atoms, &now, region->space);
      if (cell->pending > 0)
        find_pending (self, thread, site, &cell->writer, element);
      else if (other != NULL)
        simt_find_race (self, kind, site, thread, other, TRUE, element);
      reader = first_at_odds (self, cell->readers, &now, region->space);
      if (reader != NULL)
        simt_find_race (self, kind, site, thread, reader, FALSE, element);
      memset (cell->readers, 0, sizeof cell->readers);
      if (atoms != NULL)
        memset (atoms, 0, KEPT * sizeof *atoms);
      cell->writer = now;
    }
}
