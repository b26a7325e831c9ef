/* machine: values, memory and threads of a run. */
#include "engine/simt/simt-private.h"

#include <string.h>

void
simt_fail (Simt       *self,
           int         code,
           const char *format,
           ...)
{
  va_list args;

  self->failed = TRUE;
  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (LS_INTERP_ERROR, code, ls_translate (format), args);
  va_end (args);
}

void
simt_thread_of (Simt         *self,
                guint         thread,
                LsSimtThread *out)
{
  memcpy (out->block, self->block, sizeof out->block);
  out->thread[0] = (gint32) (thread % self->block_size[0]);
  out->thread[1] = (gint32) (thread / self->block_size[0] % self->block_size[1]);
  out->thread[2] = (gint32) (thread / self->block_size[0] / self->block_size[1]);
}

guint
ls_simt_warp_size (LsPrimFunc *lowered)
{
  LsNode *target = lowered->attrs != NULL ? ls_map_get (lowered->attrs, "target") : NULL;
  gint64 lanes = 32;

  return ls_is (target, MAP) && ls_as_int (ls_map_get ((LsMap *) target, "thread_warp_size"), &lanes) && lanes == LS_SIMT_LANES ? LS_SIMT_LANES : 32;
}

/* ---- memory -------------------------------------------------------------------------------- */

void
simt_region_forget (Region *region)
{
  for (gint64 i = 0; region->pages != NULL && i < region->n_pages; i++)
    g_clear_pointer (&region->pages[i], g_free);
  g_clear_pointer (&region->atoms, g_hash_table_unref);
}

void
simt_region_free (gpointer data)
{
  Region *self = data;

  if (self == NULL)
    return;
  simt_region_forget (self);
  g_free (self->pages);
  g_free (self->written);
  if (self->owns)
    g_free (self->data);
  g_free (self);
}

void
simt_region_shadow (Region *self,
                    gint64  bytes)
{
  self->n_pages = (bytes / self->granule + PAGE_CELLS) / PAGE_CELLS;
  self->pages = g_new0 (Cell *, (gsize) self->n_pages);
}

Region *
simt_region_around (Simt        *self,
                    LsSimtSpace  space,
                    guint8      *data,
                    gint64       bytes,
                    guint        granule)
{
  Region *region = g_new0 (Region, 1);

  region->space = space;
  region->data = data;
  region->bytes = bytes;
  region->granule = MAX (granule, 1);
  region->number = self->regions->len;
  g_ptr_array_add (self->regions, region);
  if (space != LS_SIMT_LOCAL && space != LS_SIMT_FRAGMENT && (self->options == NULL || !self->options->unchecked))
    simt_region_shadow (region, bytes);
  return region;
}

Region *
simt_region_new (Simt       *self,
                 LsSimtSpace space,
                 gint64      bytes,
                 guint       granule)
{
  Region *region = simt_region_around (self, space, g_malloc ((gsize) bytes + 8), bytes, granule);

  region->owns = TRUE;
  memset (region->data, 0x5a, (gsize) bytes);
  return region;
}
