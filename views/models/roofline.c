/* LsRoofline: a record and the few figures that follow from it.
 *
 * The limit of a point is min (peak, intensity * bandwidth) with the bandwidth of the nearest level behind the first cache,
 * since bytes are counted for what that cache cannot hold (Williams, Waterman, Patterson: Roofline, 2009; per level as in
 * Ilic, Pratas, Sousa: Cache-aware Roofline Model, 2014).
 */
#include "views/models/roofline.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

static void
clear_point (gpointer data)
{
  g_clear_object (&((LsRooflinePoint *) data)->item);
}

LsRoofline *
ls_roofline_new (void)
{
  LsRoofline *self = g_new0 (LsRoofline, 1);

  self->points = g_array_new (FALSE, TRUE, sizeof (LsRooflinePoint));
  g_array_set_clear_func (self->points, clear_point);
  return self;
}

void
ls_roofline_free (LsRoofline *self)
{
  if (self == NULL)
    return;
  g_free (self->trouble);
  g_free (self->missing);
  g_free (self->cpu);
  g_free (self->device);
  g_free (self->date);
  g_array_unref (self->points);
  g_free (self);
}

void
ls_roofline_add (LsRoofline *self,
                 LsStepItem *item,
                 double      flop,
                 double      bytes)
{
  const LsStepRecord *record = ls_step_item_get (item);
  LsRooflinePoint point = { g_object_ref (item), flop, bytes,
                            record->timing.samples > 0 && record->timing.median > 0.0 && record->state == LS_STEP_MEASURED,
                            record->timing.median };

  g_array_append_val (self->points, point);
}

void
ls_roofline_set_seconds (LsRoofline *self,
                         double      seconds)
{
  g_return_if_fail (self->points->len > 0);

  g_array_index (self->points, LsRooflinePoint, self->points->len - 1).seconds = seconds;
}

gboolean
ls_roofline_is_drawn (const LsRooflinePoint *point)
{
  return point->measured && point->flop > 0.0 && point->bytes > 0.0;
}

double
ls_roofline_intensity (const LsRooflinePoint *point)
{
  return point->bytes > 0.0 ? point->flop / point->bytes : 0.0;
}

double
ls_roofline_speed (const LsRooflinePoint *point)
{
  return point->measured ? point->flop / point->seconds : 0.0;
}

double
ls_roofline_limit (const LsRoofline      *self,
                   const LsRooflinePoint *point)
{
  double memory = self->n_roofs > 0 ? ls_roofline_intensity (point) * self->roofs[0].bytes_per_s : self->flop_per_s;

  return self->known ? MIN (self->flop_per_s, memory) : 0.0;
}

double
ls_roofline_share (const LsRoofline      *self,
                   const LsRooflinePoint *point)
{
  double limit = ls_roofline_limit (self, point);

  return limit > 0.0 ? ls_roofline_speed (point) / limit : 0.0;
}

char *
ls_roofline_share_text (const LsRoofline      *self,
                        const LsRooflinePoint *point)
{
  if (!ls_roofline_is_drawn (point))
    return g_strdup ("");
  return self->known ? ls_format_share (ls_roofline_share (self, point)) : g_strdup ("–");
}

gboolean
ls_roofline_by_memory (const LsRoofline      *self,
                       const LsRooflinePoint *point)
{
  return self->n_roofs > 0 && ls_roofline_intensity (point) * self->roofs[0].bytes_per_s < self->flop_per_s;
}

char *
ls_roofline_verdict (const LsRoofline *self)
{
  for (guint i = self->points->len; self->known && i-- > 0;)
    {
      const LsRooflinePoint *point = &g_array_index (self->points, LsRooflinePoint, i);
      guint number = ls_step_item_get (point->item)->number;
      double percent = 100.0 * ls_roofline_share (self, point);

      if (!ls_roofline_is_drawn (point))
        continue;
      if (self->device != NULL)
        return g_strdup_printf (ls_roofline_by_memory (self, point) ? _("Step %u reaches %.3g\u202f%% of what the memory of %s allows at its intensity.")
                                                                    : _("Step %u reaches %.3g\u202f%% of what %s can compute."), number, percent, self->device);
      if (ls_roofline_by_memory (self, point))
        return g_strdup_printf (_("Step %u reaches %.3g\u202f%% of what the bandwidth of %s allows at its intensity."), number, percent,
                                self->roofs[0].name);
      return g_strdup_printf (_("Step %u reaches %.3g\u202f%% of what one core can compute."), number, percent);
    }
  if (self->known && self->missing != NULL)
    return g_strdup_printf (_("The program has symbolic sizes: with those of %s, which the page Why asks for, its operations and bytes can be counted."), self->missing);
  return g_strdup (self->known ? _("No step is measured yet.") : _("What this machine can do is not measured yet."));
}
