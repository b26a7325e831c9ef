/* count: what one access of a warp costs, by the rules that do not hang on a chip. */
#include "engine/simt/simt.h"

static inline gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b < 0);
}

static inline gboolean
note (gint64 *seen,
      guint  *n,
      gint64  unit)
{
  for (guint i = *n; i-- > 0;)
    if (seen[i] == unit)
      return FALSE;
  seen[(*n)++] = unit;
  return TRUE;
}

guint
ls_simt_count_units (const gint64 *offsets,
                     LsSimtMask    mask,
                     guint         bytes,
                     guint         unit)
{
  gint64 seen[LS_SIMT_LANES * 16];
  guint n = 0, shift = unit > 0 && (unit & (unit - 1)) == 0 ? (guint) __builtin_ctz (unit) : G_MAXUINT;

  if (unit == 0 || bytes == 0)
    return 0;
  for (LsSimtMask left = mask; left != 0; left &= left - 1)
    {
      guint lane = (guint) __builtin_ctzll (left);
      gint64 first, last;

      first = shift != G_MAXUINT ? offsets[lane] >> shift : floor_div (offsets[lane], unit);
      last = shift != G_MAXUINT ? (offsets[lane] + bytes - 1) >> shift : floor_div (offsets[lane] + bytes - 1, unit);
      for (gint64 at = first; at <= last && n < G_N_ELEMENTS (seen); at++)
        note (seen, &n, at);
    }
  return n;
}

/* Of the lanes from `first` to before `end`: the most words of one bank. */
static guint
passes_of (const gint64 *offsets,
           LsSimtMask    mask,
           guint         bytes,
           guint         first,
           guint         end)
{
  gint64 seen[LS_SIMT_LANES * 4];
  guint n = 0, most = 0, words[32] = { 0 };

  for (guint lane = first; lane < end; lane++)
    {
      gint64 from = offsets[lane] >> 2, to = (offsets[lane] + bytes - 1) >> 2;

      if ((mask >> lane & 1) == 0)
        continue;
      for (gint64 word = from; word <= to && n < G_N_ELEMENTS (seen); word++)
        if (note (seen, &n, word))
          {
            guint *bank = &words[(guint) (word & 31)];

            (*bank)++;
            most = MAX (most, *bank);
          }
    }
  return most;
}

guint
ls_simt_count_passes (const gint64 *offsets,
                      LsSimtMask    mask,
                      guint         bytes,
                      guint        *needed,
                      guint        *ways)
{
  guint size = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8, passes = 0;       /* lanes at a time */

  *needed = *ways = 0;
  for (guint part = 0; part < LS_SIMT_LANES / size; part++)
    {
      LsSimtMask lanes = (LS_SIMT_LANE (size) - 1) << part * size & mask;
      guint most = passes_of (offsets, lanes, bytes, part * size, (part + 1) * size);

      if (lanes == 0)
        continue;
      passes += most;
      *needed += (bytes + 15) / 16;
      *ways = MAX (*ways, most);
    }
  return passes;
}
